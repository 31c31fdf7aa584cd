// What is said of the connection: a line under the sessions, and a banner when it is lost for longer than a moment.
import type { Connection } from '@quayside/client'
import { useConnection, useSessions } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { LIVE_SESSIONS } from './home/session-list.js'
import { useLists } from './shared/hub-context.js'
import { Icon } from './shared/icon.js'
import { strings } from './strings.js'

const words = strings.frame

export function ConnectionLine() {
  const { state } = useConnection()
  const { maxActive } = useLists()
  const { total } = useSessions(LIVE_SESSIONS)
  return (
    <p className="side-foot">
      <i className={`dot ${state === 'open' ? 'done' : 'idle'}`} />
      {state === 'open' ? words.connected : words.connecting}
      <span className="spacer" />
      <span title={words.runningText}>{words.running(total, maxActive)}</span>
    </p>
  )
}

export function ConnectionBanner() {
  const connection = useConnection()
  const isLost = connection.state === 'waiting' || isAnotherAttempt(connection)
  const isOffline = connection.state === 'waiting' && connection.isOffline
  return (
    <div className="connection" role="status">
      {isLost && <Reconnecting isOffline={isOffline} />}
    </div>
  )
}

function isAnotherAttempt(connection: Connection): boolean {
  return connection.state === 'connecting' && connection.attempt > 0
}

/** Says nothing about a short interruption; the events that were missed arrive anyway. */
function Reconnecting({ isOffline }: { isOffline: boolean }) {
  const [isShown, setShown] = useState(false)

  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 1_500)
    return () => clearTimeout(timer)
  }, [])

  return isShown ? (
    <span className="connection-text">
      {!isOffline && <Icon name="spinner" size={14} />}
      {isOffline ? words.offlineLong : words.reconnecting}
    </span>
  ) : null
}
