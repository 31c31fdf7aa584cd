// What a session is doing, in words and as one of five looks. Lists, header and title all ask here.
import type { Activity, SessionStatus } from '@quayside/protocol'
import { strings } from '../strings.js'

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
  return isNews ? { look: 'done', words: strings.list.unread } : state
}

function stateOf(status: SessionStatus, activity: Activity | undefined): SessionState {
  switch (status) {
    case 'active':
      return activeState(activity)
    case 'error':
      return { look: 'danger', words: 'Stopped unexpectedly' }
    default:
      return { look: 'idle', words: 'Ended' }
  }
}

function activeState(activity: Activity | undefined): SessionState {
  switch (activity) {
    case 'waiting':
      return { look: 'attention', words: 'Needs you' }
    case 'working':
      return { look: 'working', words: 'Working' }
    case 'starting':
      return { look: 'working', words: 'Starting' }
    default:
      return { look: 'idle', words: 'Idle' }
  }
}
