// Live announcements for screen readers: important changes only, never an answer chunk by chunk.
import { useTimeline, type SessionView } from '@quayside/client/react'
import { escapeInvisible, type Item } from '@quayside/protocol'
import { useMemo, useState } from 'react'
import { strings } from '../strings/strings.js'
import { useSessionContext } from './context/session-context.js'
import { workOfTurn } from './rows/turn-work.js'

const words = strings.session.announce

const MAX_ANSWER_CHARS = 200

export function Announcements({ view, agentName }: { view: SessionView; agentName: string }) {
  const { is, status, activity } = view
  const result = useResult(view)
  const isReady = is === 'ready'
  const isUrgent = isReady && status === 'active' && activity === 'waiting'
  const hasFailed = isReady && status === 'error'
  return (
    <>
      <p className="visually-hidden" aria-live="assertive">
        {isUrgent && words.decision(agentName)}
        {hasFailed && words.stopped(agentName)}
      </p>
      <p className="visually-hidden" aria-live="polite" data-testid="announcements">
        {isReady && !isUrgent && !hasFailed && stateWords(view, agentName)}{' '}
        {isReady && activity === 'idle' && result}
      </p>
    </>
  )
}

function stateWords({ status, activity }: SessionView, agentName: string): string {
  if (status !== 'active') return words.ended
  return activity === 'working' ? words.working(agentName) : words.ready(agentName)
}

/** Announces the result of a turn that ended while the page was open. */
function useResult({ is, lastTurnId }: SessionView): string {
  const { sessionId } = useSessionContext()
  const { ids, item } = useTimeline(sessionId)
  const [first, setFirst] = useState<{ readonly turnId: string | undefined }>()
  if (is === 'ready' && first === undefined) setFirst({ turnId: lastTurnId })
  const isNew = first !== undefined && lastTurnId !== undefined && lastTurnId !== first.turnId
  return useMemo(
    () =>
      isNew
        ? resultOf(
            ids.flatMap((id) => item(id) ?? []),
            lastTurnId,
          )
        : '',
    [isNew, lastTurnId, ids, item],
  )
}

function resultOf(items: readonly Item[], turnId: string): string {
  const { changed } = workOfTurn(items, turnId)
  const answer = items.findLast((item) => item.type === 'text' && item.turnId === turnId)
  const text =
    answer?.type === 'text' ? escapeInvisible(answer.text.slice(0, MAX_ANSWER_CHARS)) : ''
  return changed > 0 ? `${words.edited(changed)} ${text}` : text
}
