// Draws one item of the transcript by its type. Everything an agent says is text here, never markup.
import type { ContentBlock, Item, NoticeItem, PermissionItem, UserItem } from '@quayside/protocol'
import { useTimelineItem } from '@quayside/client/react'
import { memo } from 'react'
import { Disclosure } from '../shared/disclosure.js'
import { useAccess } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { duration } from '../shared/times.js'
import { Plan } from './plan.js'
import { ToolCard } from './tool-card.js'
import { TurnEnd } from './turn-end.js'

type ItemRowProps = { readonly sessionId: string; readonly id: string }

export const ItemRow = memo(function ItemRow({ sessionId, id }: ItemRowProps) {
  const item = useTimelineItem(sessionId, id)
  return item ? <Row item={item} /> : null
})

function Row({ item }: { item: Item }) {
  switch (item.type) {
    case 'user':
      return <Prompt item={item} />
    case 'text':
      return (
        <div className="said" dir="auto" aria-busy={!item.done}>
          {item.text.trimEnd()}
        </div>
      )
    case 'thought':
      return <Thought text={item.text} done={item.done} ms={item.updatedAt - item.at} />
    case 'content':
      return <Shown block={item.block} />
    case 'tool':
      return <ToolCard call={item.call} />
    case 'plan':
      return <Plan entries={item.entries} />
    case 'permission':
      return <Answered item={item} />
    case 'question':
      return <Line text={`The agent asked: ${item.message}`} severity="info" />
    case 'turn_end':
      return <TurnEnd item={item} />
    case 'notice':
      return <Line text={item.message} severity={item.severity} />
    default:
      return null
  }
}

function Prompt({ item }: { item: UserItem }) {
  return (
    <div className="prompt-row">
      <div className="prompt" dir="auto" data-waiting={item.waiting}>
        {item.text}
      </div>
      {item.waiting && (
        <span className="prompt-note">
          <Icon name="clock" size={12} /> Queued
        </span>
      )}
    </div>
  )
}

function Thought({ text, done, ms }: { text: string; done: boolean; ms: number }) {
  const words = done ? (ms < 1_000 ? 'Thought' : `Thought for ${duration(ms)}`) : 'Thinking…'
  return (
    <Disclosure
      className="thought"
      summary={
        <>
          <Icon name="thought" size={14} />
          {words}
          <Icon name="chevron" size={12} />
        </>
      }
    >
      <div className="thought-text" dir="auto">
        {text.trim()}
      </div>
    </Disclosure>
  )
}

const SHOWN_IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function Shown({ block }: { block: ContentBlock }) {
  // Only what the hub keeps: an agent may name any address.
  if (block.type === 'image' && block.uri?.startsWith('/media/'))
    return <img className="shown" alt="" src={block.uri} />
  if (block.type === 'image' && block.data && SHOWN_IMAGES.has(block.mimeType))
    return <img className="shown" alt="" src={`data:${block.mimeType};base64,${block.data}`} />
  return <Line text={nameOf(block)} severity="info" />
}

function nameOf(block: ContentBlock): string {
  switch (block.type) {
    case 'resource_link':
      return block.title ?? block.name
    case 'resource':
      return block.resource.uri
    case 'text':
      return block.text
    default:
      return `The agent sent something that cannot be shown yet (${block.type}).`
  }
}

/** An open question is asked in the dock; here stays what was answered. */
function Answered({ item }: { item: PermissionItem }) {
  const access = useAccess()
  const { outcome, options, reason, by, toolCall } = item
  if (outcome === null) return null
  if (outcome.outcome === 'cancelled') {
    const words = reason === 'timeout' ? 'Nobody answered in time' : 'No longer needed'
    return <Line text={`${words}: ${toolCall.title}`} severity="info" />
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId)
  const isRejected = option?.kind.startsWith('reject') ?? false
  const isMe = by === undefined || (access.is === 'signed_in' && access.name === by)
  return (
    <p className="line">
      <Icon name={isRejected ? 'cross' : 'check'} size={14} />
      <span>
        {isMe ? 'You' : by} chose “{option?.name ?? outcome.optionId}”
      </span>
    </p>
  )
}

function Line({ text, severity }: { text: string; severity: NoticeItem['severity'] }) {
  return (
    <p className={`line ${severity}`} role={severity === 'error' ? 'alert' : undefined}>
      <Icon name="alert" size={14} />
      <span dir="auto">{text}</span>
    </p>
  )
}
