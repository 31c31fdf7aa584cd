// Tells screen readers what matters, and only when it changes: never the answer piece by piece.
import type { SessionView } from '@quayside/client/react'

export function Announcements({ view, agentName }: { view: SessionView; agentName: string }) {
  return (
    <p className="visually-hidden" aria-live="polite">
      {wordsFor(view, agentName)}
    </p>
  )
}

function wordsFor({ is, status, activity }: SessionView, agentName: string): string {
  if (is !== 'ready') return ''
  if (status !== 'active') return 'The session has ended.'
  if (activity === 'waiting') return `${agentName} needs your decision.`
  return activity === 'working' ? `${agentName} is working.` : `${agentName} is ready.`
}
