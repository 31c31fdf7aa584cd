// An agent's thought: open while it streams, then folded to one line.
import type { ThoughtItem } from '@quayside/protocol'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon } from '../../shared/controls/icon.js'
import { usePreferences } from '../../shared/preferences.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { LongText } from './long-text.js'

const words = strings.session

export function Thought({ item }: { item: ThoughtItem }) {
  const { done, at, updatedAt } = item
  const { thoughts } = usePreferences()
  const ms = updatedAt - at
  const label = ms < 1_000 ? words.thought : words.thoughtFor(duration(ms))
  return (
    <div data-testid="thought" data-live={!done}>
      <Disclosure
        className="thought"
        isOpen={!done && thoughts === 'open'}
        summary={
          <>
            <Icon name="thought" size={14} />
            <span className={done ? undefined : 'pulse'}>{done ? label : words.thinking}</span>
            <Icon name="chevron" size={12} />
          </>
        }
      >
        <div className="thought-text" data-live={!done}>
          <LongText item={item} />
        </div>
      </Disclosure>
    </div>
  )
}
