// Read-only tool calls folded into one line. A single call or a failed one is a card.
import { useSession, useTimelineItem, useTimelineItems } from '@quayside/client/react'
import type { ToolItem } from '@quayside/protocol'
import { memo } from 'react'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon } from '../../shared/controls/icon.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { ToolCard } from '../cards/tool-card.js'
import { useSessionContext } from '../context/session-context.js'

const words = strings.session

type ToolRunProps = { readonly ids: readonly string[] }

export const ToolRun = memo(
  function ToolRun({ ids }: ToolRunProps) {
    const [only] = ids
    if (only !== undefined && ids.length === 1) return <OneTool id={only} />
    return <ToolGroup ids={ids} />
  },
  (a, b) => a.ids.length === b.ids.length && a.ids.every((id, index) => id === b.ids[index]),
)

function OneTool({ id }: { id: string }) {
  const { sessionId } = useSessionContext()
  const item = useTimelineItem(sessionId, id)
  const { permissions } = useSession(sessionId)
  if (item?.type !== 'tool') return null
  const isWaiting = permissions.some(({ toolCall }) => toolCall.toolCallId === item.call.toolCallId)
  return <ToolCard item={item} isWaiting={isWaiting} />
}

function ToolGroup({ ids }: ToolRunProps) {
  const { sessionId } = useSessionContext()
  const items = useTimelineItems(sessionId, ids).filter((item) => item.type === 'tool')
  const isLive = items.some(({ done }) => !done)
  const outstanding = items.filter(({ call, done }) => call.status === 'failed' || !done)
  const ms = Math.max(...items.map(({ updatedAt }) => updatedAt)) - (items[0]?.at ?? 0)
  return (
    <div className="tool-group" data-testid="tool-group">
      <Disclosure
        className="card"
        summary={
          <span className="card-head">
            <Icon name="chevron" size={14} />
            <span className="tool-title quiet">{summaryOf(items)}</span>
            <span className="card-status">
              {!isLive && ms >= 1_000 && <span className="took">{duration(ms)}</span>}
              {isLive && <Icon name="spinner" size={14} />}
            </span>
          </span>
        }
      >
        <div className="group-cards">
          {ids.map((id) => (
            <OneTool key={id} id={id} />
          ))}
        </div>
      </Disclosure>
      {outstanding.map(({ id }) => (
        <OneTool key={id} id={id} />
      ))}
    </div>
  )
}

/** For example "Read 3 files, searched 2 times". */
function summaryOf(items: readonly ToolItem[]): string {
  const number = (kind: string) => items.filter(({ call }) => call.kind === kind).length
  const parts = [
    { number: number('read'), label: words.readFiles },
    { number: number('search'), label: words.searched },
    { number: number('fetch'), label: words.fetched },
    { number: number('think'), label: words.thoughtTimes },
  ]
  const summary = parts
    .flatMap(({ number, label }) => (number > 0 ? [label(number)] : []))
    .join(', ')
  return summary.charAt(0).toUpperCase() + summary.slice(1)
}
