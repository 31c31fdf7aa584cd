// What a session is doing, in words and as one of five looks. Lists, header and title all ask here.
import type { Activity, SessionStatus } from '@quayside/protocol'
import { strings } from '../strings.js'

const words = strings.states

export type SessionLook = 'attention' | 'working' | 'danger' | 'done' | 'idle'
export type SessionState = { readonly look: SessionLook; readonly words: string }

export function sessionState(
  status: SessionStatus,
  activity: Activity | undefined,
  isUnread = false,
): SessionState {
  const state = stateOf(status, activity)
  // Whoever ended a session knows it.
  const isNews = isUnread && state.look === 'idle' && status !== 'cancelled'
  return isNews ? { look: 'done', words: words.unread } : state
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
