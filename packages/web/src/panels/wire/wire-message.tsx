// One message of the wire, with links to its request or response and to its item in the conversation.
import { useTimeline } from '@quayside/client/react'
import { escapeInvisible, type Item } from '@quayside/protocol'
import { pointAt } from '../../session/transcript/use-reading-location.js'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { strings } from '../../strings/strings.js'
import { revealConversation } from '../../shared/panel-location.js'
import { textOf, toolCallOf, type WireEntry } from './wire-frames.js'

const words = strings.panels

/** The hub records a message shortly after it passed. */
const MOMENT_MS = 50

type WireMessageProps = {
  readonly sessionId: string
  readonly entry: WireEntry
  /** Undefined when it is not in the list. */
  readonly request: WireEntry | undefined
  readonly answer: WireEntry | undefined
  readonly onGoTo: (entry: WireEntry) => void
}

export function WireMessage({ sessionId, entry, request, answer, onGoTo }: WireMessageProps) {
  const { ids, item } = useTimeline(sessionId)
  const { frame } = entry
  const text = textOf(frame)
  const shownItem = itemOf(entry, ids.map(item))

  function show(itemId: string) {
    revealConversation(sessionId)
    pointAt(sessionId, itemId)
  }

  return (
    <div className="wire-message">
      <div className="wire-message-head">
        {frame.cut && <span className="panel-note">{words.cut}</span>}
        {shownItem && (
          <button className="panel-action" onClick={() => show(shownItem.id)}>
            {words.showInConversation}
          </button>
        )}
        {request && (
          <button className="panel-action" onClick={() => onGoTo(request)}>
            {words.toRequest}
          </button>
        )}
        {answer && (
          <button className="panel-action" onClick={() => onGoTo(answer)}>
            {words.toAnswer}
          </button>
        )}
        <CopyButton text={text} className="panel-action" />
      </div>
      {frame.faults && (
        <div className="wire-fault-list">
          {words.faultsTitle}
          <ul>
            {frame.faults.map((fault) => (
              <li key={fault}>{escapeInvisible(fault)}</li>
            ))}
          </ul>
        </div>
      )}
      <pre tabIndex={0}>{escapeInvisible(text)}</pre>
    </div>
  )
}

/**
 * The item of the tool call that the message refers to, else the last item before it. Messages outside a session have
 * none.
 */
function itemOf(entry: WireEntry, items: readonly (Item | undefined)[]): Item | undefined {
  if (!entry.method.startsWith('session/')) return undefined
  const toolCallId = toolCallOf(entry)
  const isCall = (item: Item | undefined) =>
    item?.type === 'tool' && item.call.toolCallId === toolCallId
  return (
    (toolCallId === undefined ? undefined : items.findLast(isCall)) ??
    items.findLast((item) => item !== undefined && item.at <= entry.frame.at + MOMENT_MS)
  )
}
