// The state of a session as a text and one of five looks. Used by lists, header and title.
import { escapeInvisible } from '@quayside/protocol'
import type {
  Activity,
  CurrentStep,
  HubPlace,
  SessionStatus,
  SessionSummary,
} from '@quayside/protocol'
import { sinceTime } from '../shared/text/times.js'
import { strings } from '../strings/strings.js'

const words = strings.states

export type SessionLook = 'attention' | 'working' | 'danger' | 'done' | 'idle'
export type SessionState = { readonly look: SessionLook; readonly words: string }

export function sessionState(
  status: SessionStatus,
  activity: Activity | undefined,
  isUnread = false,
): SessionState {
  const state = stateOf(status, activity)
  return isUnread && state.look === 'idle' ? { look: 'done', words: words.unread } : state
}

export const ASLEEP: SessionState = { look: 'idle', words: words.asleep }

/** The last turn ended because no one answered in time. */
export const TIMED_OUT: SessionState = { look: 'danger', words: words.timedOutShort }

export const INTERRUPTED: SessionState = { look: 'danger', words: words.interruptedShort }

/** The state with its subject, for lists. */
export function sessionLine(session: SessionSummary, isUnread = false): SessionState {
  const { status, hub } = session
  if (status === 'active' && hub?.state === 'away') return awayState(hub)
  if (hasTimedOut(session)) return { look: 'danger', words: words.timedOut }
  if (!isUnread && hasFallenAsleep(session)) return ASLEEP
  if (isInterrupted(session.metadata)) return { look: 'danger', words: words.interrupted }
  const state = sessionState(session.status, session.activity, isUnread)
  return { ...state, words: lineOf(session) ?? state.words }
}

/** The machine that runs the session does not answer. */
function awayState({ name, since }: HubPlace): SessionState {
  return { look: 'danger', words: words.away(name, sinceTime(since)) }
}

/** The last turn was cancelled because no one answered its permission in time. */
function hasTimedOut({ step, metadata }: SessionSummary): boolean {
  return step?.type === 'timeout' || metadata['timedOut'] === true
}

/** The hub ended its agent, not a person: because it was idle, to make room, or when the hub stopped. */
const SLEEP_REASONS: readonly unknown[] = [
  'idle_timeout',
  'made_room',
  'server_shutdown',
  'hub_drained',
]

export function hasFallenAsleep({ status, metadata }: SessionSummary): boolean {
  return status !== 'active' && isSleep(metadata)
}

/** The hub stopped, in good order, while a turn ran. */
export function isInterrupted(end: Readonly<Record<string, unknown>> = {}): boolean {
  return end['interrupted'] === true
}

/** True for the end of a session in which nothing ran, and which its next prompt undoes. */
export function isSleep(end: Readonly<Record<string, unknown>> = {}): boolean {
  return (SLEEP_REASONS.includes(end['reason']) && !isInterrupted(end)) || end['wasIdle'] === true
}

function lineOf({ status, step, metadata }: SessionSummary): string | undefined {
  if (status === 'error' && metadata['reason'] === 'hub_crash') return words.interrupted
  return status === 'active' && step ? stepWords(step) : undefined
}

function stepWords(step: CurrentStep): string {
  if (step.type === 'timeout') return words.timedOut
  if (step.type !== 'tool') return words.waitsFor[step.type]
  const { kind, title, path } = step
  const verb = Object.hasOwn(words.doing, kind) ? words.doing[kind as keyof typeof words.doing] : ''
  const subject = path === undefined ? '' : path.slice(path.lastIndexOf('/') + 1)
  if (verb === '' || (subject === '' && kind !== 'execute')) return escapeInvisible(verb || title)
  return escapeInvisible(`${verb} ${kind === 'execute' ? title : subject}`)
}

function stateOf(status: SessionStatus, activity: Activity | undefined): SessionState {
  switch (status) {
    case 'active':
      return activeState(activity)
    case 'error':
      return { look: 'danger', words: words.stopped }
    default:
      return { look: 'idle', words: words.ended }
  }
}

function activeState(activity: Activity | undefined): SessionState {
  switch (activity) {
    case 'waiting':
      return { look: 'attention', words: words.needsYou }
    case 'working':
      return { look: 'working', words: words.working }
    case 'starting':
      return { look: 'working', words: words.starting }
    default:
      return { look: 'idle', words: words.idle }
  }
}
