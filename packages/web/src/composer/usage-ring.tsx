// The usage of the agent's context: a ring, with the figures in its tooltip.
import type { Usage } from '@quayside/protocol'
import { Popover } from 'radix-ui'
import { locale } from '../shared/text/language.js'
import { price } from '../shared/text/price.js'
import { strings } from '../strings/strings.js'

const words = strings.session

const RADIUS = 7
const ROUND = 2 * Math.PI * RADIUS

export function UsageRing({ usage }: { usage: Usage | null }) {
  if (usage === null || usage.size <= 0) return null
  const share = Math.min(1, Math.max(0, usage.used / usage.size))
  const percent = Math.round(share * 100)
  const look = share >= 0.9 ? 'bad' : share >= 0.7 ? 'warn' : ''
  return (
    <Popover.Root>
      <Popover.Trigger
        className={`usage ${look}`}
        data-testid="usage"
        aria-label={words.usage(percent)}
      >
        <svg width={18} height={18} viewBox="0 0 18 18" aria-hidden>
          <circle className="usage-track" cx={9} cy={9} r={RADIUS} />
          <circle
            className="usage-share"
            cx={9}
            cy={9}
            r={RADIUS}
            strokeDasharray={`${share * ROUND} ${ROUND}`}
          />
        </svg>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu usage-detail"
          side="top"
          sideOffset={6}
          collisionPadding={8}
        >
          {words.usageDetail(short(usage.used), short(usage.size), percent)}
          {usage.cost && ` · ${price(usage.cost)}`}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function short(tokens: number): string {
  return new Intl.NumberFormat(locale, { notation: 'compact' }).format(tokens).replace('K', 'k')
}
