// Renders one item of the transcript by its type. An agent's text is rendered as text, never as markup.
import { CopyIcon } from '../../shared/controls/copy-button.js'
import { linkTo } from '../../shared/route.js'
import { strings } from '../../strings/strings.js'
import type { Item, TextItem } from '@quayside/protocol'
import { useTimelineItem } from '@quayside/client/react'
import { memo, useRef } from 'react'
import { Answered } from './answered.js'
import { Media } from '../cards/media.js'
import { LongText } from './long-text.js'
import { Notice } from './notice.js'
import { PlanCard } from './plan.js'
import { Prompt } from './prompt.js'
import { useSessionContext } from '../context/session-context.js'
import { Thought } from './thought.js'
import { TurnEnd } from './turn-end.js'

const words = strings.session

export const ItemRow = memo(function ItemRow({ id }: { readonly id: string }) {
  const { sessionId } = useSessionContext()
  const item = useTimelineItem(sessionId, id)
  return item ? <DrawnItem item={item} /> : null
})

function DrawnItem({ item }: { item: Item }) {
  switch (item.type) {
    case 'user':
      return <Prompt item={item} />
    case 'text':
      return <AgentMessage item={item} />
    case 'thought':
      return <Thought item={item} />
    case 'content':
      return <Media block={item.block} alt={words.picture} />
    case 'plan':
      return <PlanCard entries={item.entries} isOver={item.done} />
    case 'permission':
    case 'question':
      return <Answered item={item} />
    case 'turn_end':
      return <TurnEnd item={item} />
    case 'notice':
      return <Notice item={item} />
    default:
      return null
  }
}

function AgentMessage({ item }: { item: TextItem }) {
  const { sessionId } = useSessionContext()
  const shown = useRef<HTMLDivElement>(null)
  return (
    <div className="said" data-testid="msg-agent" aria-busy={!item.done}>
      <div ref={shown}>
        <LongText item={item} />
      </div>
      {item.done && (
        <div className="row-actions">
          <CopyIcon text={() => textIn(shown.current)} label={words.copyMessage} />
          <CopyIcon icon="code" text={item.text} label={words.copyMarkdown} />
          <CopyIcon icon="link" text={linkTo(sessionId, item.id)} label={words.copyLink} />
        </div>
      )}
    </div>
  )
}

/** The text as a selection would copy it, without the buttons. */
function textIn(element: HTMLElement | null): string {
  const selection = getSelection()
  if (!element || !selection) return ''
  selection.selectAllChildren(element)
  const text = selection.toString().trim()
  selection.removeAllRanges()
  return text
}
