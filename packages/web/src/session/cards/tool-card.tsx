// One tool call: a row with its kind, title and status, and its content when opened.
import { escapeInvisible, readToolTitle } from '@quayside/protocol'
import type { ToolCall, ToolCallStatus, ToolItem, ToolKind } from '@quayside/protocol'
import { countLines } from '../../code/entry-diff.js'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon, type IconName } from '../../shared/controls/icon.js'
import { LineCounts } from '../../shared/controls/line-counts.js'
import { PathText } from '../../shared/controls/path-text.js'
import { usePreferences } from '../../shared/preferences.js'
import { duration } from '../../shared/text/times.js'
import { strings } from '../../strings/strings.js'
import { useElapsed } from '../../shared/clock.js'
import { shortPath, useSessionContext } from '../context/session-context.js'
import { hasToolContent, ToolContent } from './tool-content.js'

const words = strings.session

const SHOWN_AFTER_MS = 2_000

export function ToolCard({ item, isWaiting }: { item: ToolItem; isWaiting: boolean }) {
  const { call } = item
  const isChange = call.content.some(({ type }) => type === 'diff')
  const isCommand = call.kind === 'execute'
  // Before the call runs, its diff is shown in the decision.
  const status = shownStatus(call)
  const isOpen = status === 'failed' || ((isChange || isCommand) && status !== 'pending')
  const head = <ToolHead item={item} isWaiting={isWaiting} />
  const { semanticShellRibbon } = usePreferences()
  const ribbon = semanticShellRibbon && call.kind === 'execute' ? { 'data-ribbon': '' } : {}
  const attributes = {
    'data-item': item.id,
    'data-kind': call.kind,
    'data-status': status,
    ...ribbon,
  }
  if (!hasToolContent(call))
    return (
      <div className="card tool" data-testid="tool-card" {...attributes}>
        {head}
      </div>
    )
  return (
    <div className="tool-frame" data-testid="tool-card" {...attributes}>
      <Disclosure className="card tool" summary={head} isOpen={isOpen}>
        <ToolContent call={call} />
      </Disclosure>
    </div>
  )
}

function ToolHead({ item, isWaiting }: { item: ToolItem; isWaiting: boolean }) {
  const { call, at, updatedAt } = item
  const { icon, words: status, look } = isWaiting ? WAITING : statusOf(shownStatus(call))
  const { icon: kindIcon, verb } = kindOf(call.kind)
  return (
    <span className="card-head">
      <Icon name={kindIcon} />
      {!includesVerb(call, verb) && <span className="visually-hidden">{verb}</span>}
      <ToolTitle call={call} />
      <span className={`card-status ${look}`}>
        <Facts call={call} />
        {call.status === 'in_progress' ? (
          <Elapsed start={at} />
        ) : (
          updatedAt - at >= SHOWN_AFTER_MS && (
            <span className="took">{duration(updatedAt - at)}</span>
          )
        )}
        <span className={icon === 'check' ? 'visually-hidden' : 'status-words'}>{status}</span>
        <Icon name={icon} size={14} />
        {hasToolContent(call) && <Icon name="chevron" size={14} />}
      </span>
    </span>
  )
}

/** Most agents begin a title with the verb. */
function includesVerb({ title, kind }: ToolCall, verb: string): boolean {
  return kind === 'edit' || title.toLowerCase().startsWith(verb.toLowerCase())
}

/** Formats a title that is a command, or that names the only changed file. */
function ToolTitle({ call }: { call: ToolCall }) {
  const { root } = useSessionContext()
  const diffs = call.content.filter((entry) => entry.type === 'diff')
  const [only] = diffs
  if (call.kind === 'edit' && only && diffs.length === 1)
    return (
      <>
        <b>{words.tools.edit}</b>
        <PathText path={shortPath(only.path, root)} />
      </>
    )
  // Gemini CLI adds the folder and a description to a command; the decision shows the whole title.
  const isSplit = call.workingDir !== undefined
  return (
    <>
      <span
        className={call.kind === 'execute' ? 'tool-title tool-command mono' : 'tool-title'}
        dir="auto"
        title={escapeInvisible(call.title)}
      >
        {escapeInvisible(isSplit ? readToolTitle(call.title).text : call.title)}
      </span>
      {isSplit && call.description !== undefined && (
        <span className="tool-note">{escapeInvisible(call.description)}</span>
      )}
    </>
  )
}

/** The number of changed lines, or the exit of the command. */
function Facts({ call }: { call: ToolCall }) {
  const diffs = call.content.filter((entry) => entry.type === 'diff')
  const ended = call.terminals?.findLast(({ isRunning }) => !isRunning)
  return (
    <>
      {diffs.length > 0 && <LineCounts {...countLines(diffs)} />}
      {typeof ended?.exitCode === 'number' && (
        <span className={ended.exitCode === 0 ? 'took' : 'took bad'}>
          {words.exit(ended.exitCode)}
        </span>
      )}
      {typeof ended?.signal === 'string' && (
        <span className="took bad">{words.killed(escapeInvisible(ended.signal))}</span>
      )}
    </>
  )
}

function Elapsed({ start }: { start: number }) {
  const ms = useElapsed(start)
  return ms < SHOWN_AFTER_MS ? null : (
    <span className="took">{duration(Math.floor(ms / 1_000) * 1_000)}</span>
  )
}

/** Agents report a rejected call as failed. */
function shownStatus({ status, rejected }: ToolCall): ToolCallStatus {
  return status === 'failed' && rejected ? 'rejected' : status
}

type Look = '' | 'ok' | 'bad' | 'busy' | 'warn'
type Status = { readonly icon: IconName; readonly words: string; readonly look: Look }

const WAITING: Status = { icon: 'clock', words: words.needsDecision, look: 'warn' }

const STATUSES: ReadonlyMap<string, Status> = new Map([
  ['completed', { icon: 'check', words: words.statuses.completed, look: 'ok' }],
  ['failed', { icon: 'cross', words: words.statuses.failed, look: 'bad' }],
  ['in_progress', { icon: 'spinner', words: words.running, look: 'busy' }],
  ['cancelled', { icon: 'cross', words: words.statuses.cancelled, look: '' }],
  ['rejected', { icon: 'cross', words: words.statuses.rejected, look: '' }],
  ['interrupted', { icon: 'alert', words: words.statuses.interrupted, look: 'warn' }],
  ['pending', { icon: 'clock', words: words.statuses.pending, look: '' }],
])

function statusOf(status: ToolCallStatus): Status {
  return STATUSES.get(status) ?? { icon: 'circle', words: escapeInvisible(status), look: '' }
}

type Kind = { readonly icon: IconName; readonly verb: string }

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['read', { icon: 'file', verb: words.tools.read }],
  ['edit', { icon: 'edit', verb: words.tools.edit }],
  ['delete', { icon: 'trash', verb: words.tools.delete }],
  ['move', { icon: 'move', verb: words.tools.move }],
  ['search', { icon: 'search', verb: words.tools.search }],
  ['execute', { icon: 'terminal', verb: words.tools.execute }],
  ['fetch', { icon: 'globe', verb: words.tools.fetch }],
  ['think', { icon: 'thought', verb: words.tools.think }],
])

function kindOf(kind: ToolKind): Kind {
  return KINDS.get(kind) ?? { icon: 'bolt', verb: words.tools.other }
}
