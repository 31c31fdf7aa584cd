// Tells screen readers what matters, and only when it changes: never the answer piece by piece.
import { useStore } from '../shared/store.js'
import type { SessionHead, SessionStore } from './session-store.js'

export function Announcements({ store, agentName }: { store: SessionStore; agentName: string }) {
  const head = useStore(store.head)
  return (
    <p className="visually-hidden" aria-live="polite">
      {wordsFor(head, agentName)}
    </p>
  )
}

function wordsFor({ is, status, activity }: SessionHead, agentName: string): string {
  if (is !== 'ready') return ''
  if (status !== 'active') return 'The session has ended.'
  if (activity === 'waiting') return `${agentName} needs your decision.`
  return activity === 'working' ? `${agentName} is working.` : `${agentName} is ready.`
}
