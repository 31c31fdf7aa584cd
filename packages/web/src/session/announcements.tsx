// Tells screen readers what matters, and only when it changes: never the answer piece by piece.
import type { SessionView } from '@quayside/client/react'
import { strings } from '../strings.js'

const words = strings.session

export function Announcements({ view, agentName }: { view: SessionView; agentName: string }) {
  const { is, status, activity } = view
  const isUrgent = is === 'ready' && status === 'active' && activity === 'waiting'
  return (
    <>
      <p className="visually-hidden" aria-live="assertive">
        {isUrgent && words.announce.decision(agentName)}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {is === 'ready' && !isUrgent && stateWords(view, agentName)}
      </p>
    </>
  )
}

function stateWords({ status, activity }: SessionView, agentName: string): string {
  if (status !== 'active') return words.announce.ended
  return activity === 'working'
    ? words.announce.working(agentName)
    : words.announce.ready(agentName)
}
