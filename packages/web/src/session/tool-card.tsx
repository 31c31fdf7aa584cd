// One tool call: its kind, title and status in a row, and what it changed or printed when it is opened.
import type { ToolCall, ToolCallStatus, ToolKind } from '@quayside/protocol'
import { Disclosure } from '../shared/disclosure.js'
import { Icon } from '../shared/icon.js'
import type { IconName } from '../shared/icon.js'
import { hasToolContent, ToolContent } from './tool-content.js'

export function ToolCard({ call }: { call: ToolCall }) {
  const hasDiff = call.content.some(({ type }) => type === 'diff')
  // Before it is done, the change is shown in the decision about it.
  const isOpen = call.status === 'failed' || (hasDiff && call.status !== 'pending')
  const head = <ToolHead call={call} canOpen={hasToolContent(call)} />
  if (!hasToolContent(call)) return <div className="card tool">{head}</div>
  return (
    <Disclosure className="card tool" summary={head} isOpen={isOpen}>
      <ToolContent call={call} />
    </Disclosure>
  )
}

function ToolHead({ call, canOpen }: { call: ToolCall; canOpen: boolean }) {
  const { icon, words, look } = statusOf(call.status)
  const { icon: kindIcon, verb } = kindOf(call.kind)
  return (
    <span className="card-head">
      <Icon name={kindIcon} />
      <span className="visually-hidden">{verb}</span>
      <span className="tool-title" data-kind={call.kind} dir="auto">
        {call.title}
      </span>
      <span className={`card-status ${look}`}>
        <span className={icon === 'check' ? 'visually-hidden' : undefined}>{words}</span>
        <Icon name={icon} size={14} />
        {canOpen && <Icon name="chevron" size={14} />}
      </span>
    </span>
  )
}

type Look = '' | 'ok' | 'bad' | 'busy' | 'warn'

function statusOf(status: ToolCallStatus): { icon: IconName; words: string; look: Look } {
  switch (status) {
    case 'completed':
      return { icon: 'check', words: 'Done', look: 'ok' }
    case 'failed':
      return { icon: 'cross', words: 'Failed', look: 'bad' }
    case 'in_progress':
      return { icon: 'spinner', words: 'Running', look: 'busy' }
    case 'cancelled':
      return { icon: 'cross', words: 'Cancelled', look: '' }
    case 'rejected':
      return { icon: 'cross', words: 'Rejected', look: '' }
    case 'interrupted':
      return { icon: 'alert', words: 'Interrupted', look: 'warn' }
    case 'pending':
      return { icon: 'clock', words: 'Waiting', look: '' }
    default:
      return { icon: 'circle', words: status, look: '' }
  }
}

function kindOf(kind: ToolKind): { icon: IconName; verb: string } {
  switch (kind) {
    case 'read':
      return { icon: 'file', verb: 'Read' }
    case 'edit':
      return { icon: 'edit', verb: 'Edit' }
    case 'delete':
      return { icon: 'trash', verb: 'Delete' }
    case 'move':
      return { icon: 'move', verb: 'Move' }
    case 'search':
      return { icon: 'search', verb: 'Search' }
    case 'execute':
      return { icon: 'terminal', verb: 'Run' }
    case 'fetch':
      return { icon: 'globe', verb: 'Fetch' }
    case 'think':
      return { icon: 'thought', verb: 'Think' }
    default:
      return { icon: 'bolt', verb: 'Tool' }
  }
}
