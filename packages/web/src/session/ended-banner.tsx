// The banner of a session without an agent: the reason, and the way to start it again after a failure.
import type { SessionView } from '@quayside/client/react'
import { isInterrupted, isSleep } from '../sessions/session-state.js'
import { strings } from '../strings/strings.js'
import { useSessionEnd } from './context/session-end.js'

const words = strings.session

type EndedBannerProps = {
  readonly view: SessionView
  readonly agentName: string
  readonly onRestart: () => void
}

export function EndedBanner({ view, agentName, onRestart }: EndedBannerProps) {
  const end = useSessionEnd(view)
  if (view.status === 'active') return null
  if (isSleep(end)) return <p className="banner">{words.asleep}</p>
  if (view.status !== 'error' && !isInterrupted(end)) return <p className="banner">{words.ended}</p>
  return (
    <p className="banner">
      {isInterrupted(end)
        ? words.interruptedByHub(agentName)
        : stoppedWords(end?.['reason'], agentName)}
      {view.session && (
        <button type="button" className="quiet-button strong" onClick={onRestart}>
          {words.restart}
        </button>
      )}
    </p>
  )
}

function stoppedWords(reason: unknown, agentName: string): string {
  if (reason === 'hub_crash') return words.stoppedWithHub(agentName)
  const isOwnExit = reason === undefined || reason === 'agent_exited'
  return isOwnExit ? words.stopped(agentName) : words.endedByHub(agentName)
}
