// Folds events outside of turns into notices for people: the session ended, resumed, failed, or lost its memory.
// An agent's exit has no notice of its own: the end of the session follows it, and has the reason.
import type { EventData, SessionEvent } from '../events/events.js'
import { NOTICE_SENTENCES } from './notice-sentences.js'
import type { NoticeItem } from './transcript-items.js'

export type Notice = Pick<NoticeItem, 'severity' | 'code' | 'message' | 'details'>

const END_SENTENCES: ReadonlyMap<string, string> = new Map(Object.entries(NOTICE_SENTENCES))

/** The notice for the event; undefined when the event needs none. */
export function noticeOf(event: SessionEvent): Notice | undefined {
  switch (event.type) {
    case 'notice': {
      const { turnId: _, ...notice } = event.data
      return notice
    }
    case 'session.created':
      return event.data.forkedFrom && { ...FORKED, details: event.data.forkedFrom }
    case 'session.ended':
      return endNotice(event.data)
    case 'session.resumed':
      return RESUMED
    case 'agent.started':
      return event.data.how === 'primer' ? PRIMED : undefined
    case 'agent.auth_changed':
      return authNotice(event.data)
    default:
      return undefined
  }
}

const FORKED = toNotice('info', 'session_forked')
const RESUMED = toNotice('info', 'session_resumed')
const PRIMED = toNotice('warning', 'agent_primed')

const END_OF: Readonly<Record<EventData['session.ended']['status'], Notice>> = {
  completed: toNotice('info', 'session_completed'),
  cancelled: toNotice('info', 'session_cancelled'),
  error: toNotice('error', 'session_failed'),
}

function toNotice(severity: Notice['severity'], code: keyof typeof NOTICE_SENTENCES): Notice {
  return { severity, code, message: NOTICE_SENTENCES[code] }
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

function endNotice(data: EventData['session.ended']): Notice {
  const { status, reason, message, details, by } = data
  const end = END_OF[status]
  return {
    ...end,
    ...(details?.['wasIdle'] === true && { severity: 'info' }),
    message: message ?? END_SENTENCES.get(reason) ?? end.message,
    details: { ...details, status, reason, ...(by !== undefined && { by }) },
  }
}
