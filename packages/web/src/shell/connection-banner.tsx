// The state of the connection: a line below the session list, and a banner when it is lost for longer.
import type { Connection } from '@quayside/client'
import { useConnection, useHub, useSessions } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { LIVE_SESSIONS } from '../sessions/session-queries.js'
import { useLists } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'

const words = strings.frame

const SHOWN_AFTER_MS = 1_500
/** A connection that breaks again within this time counts as the same interruption. */
const OVER_AFTER_MS = 5_000

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
  const client = useHub()
  const connection = useConnection()
  const isLost = connection.state === 'waiting' || isAnotherAttempt(connection)
  const isOffline = connection.state === 'waiting' && connection.isOffline
  const [isShown, setShown] = useState(false)

  // Short interruptions are not mentioned: missed events arrive after the reconnect.
  useEffect(() => {
    const timer = setTimeout(() => setShown(isLost), isLost ? SHOWN_AFTER_MS : OVER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isLost])

  return (
    <>
      <div className="connection" role="alert">
        {isLost && isShown && (
          <span className="connection-text">
            {!isOffline && <Icon name="spinner" size={14} />}
            {isOffline ? words.offlineLong(location.hostname) : words.reconnecting}
            {connection.state === 'waiting' && (
              <button
                type="button"
                className="button small"
                // The banner shows why it failed.
                onClick={() => void client.connect().catch(() => {})}
              >
                {words.retryNow}
              </button>
            )}
          </span>
        )}
      </div>
      <p className="visually-hidden" aria-live="assertive">
        {!isLost && isShown && words.connectedAgain}
      </p>
    </>
  )
}

function isAnotherAttempt(connection: Connection): boolean {
  return connection.state === 'connecting' && connection.attempt > 0
}
