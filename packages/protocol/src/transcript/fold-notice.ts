// Folds events outside of turns into notices for people: the session ended, resumed, failed, or lost its memory.
// An agent's exit has no notice of its own: the end of the session follows it, and has the reason.
import type { EventData, SessionEvent } from '../events/events.js'
import type { NoticeItem } from './transcript-items.js'

export type Notice = Pick<NoticeItem, 'severity' | 'code' | 'message' | 'details'>

/** The notice for the event; undefined when the event needs none. */
export function noticeOf(event: SessionEvent): Notice | undefined {
  switch (event.type) {
    case 'notice': {
      const { turnId: _, ...notice } = event.data
      return notice
    }
    case 'session.ended':
      return endNotice(event.data)
    case 'session.resumed':
      return { severity: 'info', code: 'session_resumed', message: 'The session was resumed.' }
    case 'agent.started':
      return event.data.how === 'primer' ? PRIMED : undefined
    case 'agent.auth_changed':
      return authNotice(event.data)
    default:
      return undefined
  }
}

const PRIMED: Notice = {
  severity: 'warning',
  code: 'agent_primed',
  message: 'The agent was restarted without its memory. It gets the conversation so far as text.',
}

function authNotice({ signedIn, label }: EventData['agent.auth_changed']): Notice {
  const said = label === undefined ? '' : ` (${label})`
  return signedIn
    ? { severity: 'info', code: 'agent_signed_in', message: `The agent is signed in${said}.` }
    : {
        severity: 'warning',
        code: 'agent_signed_out',
        message: `The agent is not signed in${said}. Sign in with: quayside agents login`,
      }
}

const END_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['idle_timeout', 'The session was completed after a time without activity.'],
  ['server_shutdown', 'The session was cancelled because the hub was shut down.'],
  ['hub_crash', 'The session ended because the hub stopped unexpectedly.'],
  ['agent_exited', 'The session ended because the agent stopped unexpectedly.'],
])

const END_OF: Readonly<Record<EventData['session.ended']['status'], Notice>> = {
  completed: { severity: 'info', code: 'session_completed', message: 'The session was completed.' },
  cancelled: { severity: 'info', code: 'session_cancelled', message: 'The session was cancelled.' },
  error: {
    severity: 'error',
    code: 'session_failed',
    message: 'The session ended because of an error.',
  },
}

function endNotice(data: EventData['session.ended']): Notice {
  const { status, reason, message, details, by } = data
  const end = END_OF[status]
  return {
    ...end,
    message: message ?? END_MESSAGES.get(reason) ?? end.message,
    details: { ...details, status, reason, ...(by !== undefined && { by }) },
  }
}
