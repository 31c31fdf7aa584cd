// The frame around every page: the sessions at the side, and a banner while the hub cannot be reached.
import type { Connection } from '@quayside/client'
import { useConnection } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { SessionList } from './home/session-list.js'
import { Icon } from './shared/icon.js'
import { Logo } from './shared/logo.js'
import { Link } from './shared/route.js'

type FrameProps = {
  readonly page: 'home' | 'session'
  readonly sessionId: string | undefined
  readonly children: ReactNode
}

export function Frame({ page, sessionId, children }: FrameProps) {
  return (
    <div className="frame" data-page={page}>
      <nav className="side" aria-label="Sessions">
        <div className="side-head">
          <Link className="brand" href="/" aria-label="Quayside, home">
            <Logo />
            Quayside
          </Link>
        </div>
        <Link className="button primary new-session" href="/">
          <Icon name="plus" />
          New session
        </Link>
        <h2 className="side-title section-title">Sessions</h2>
        <SessionList current={sessionId} />
      </nav>
      <main className="main">
        {children}
        <ConnectionBanner />
      </main>
    </div>
  )
}

function ConnectionBanner() {
  const connection = useConnection()
  const isLost = connection.state === 'waiting' || isAnotherAttempt(connection)
  return (
    <div className="connection" role="status">
      {isLost && <Reconnecting />}
    </div>
  )
}

function isAnotherAttempt(connection: Connection): boolean {
  return connection.state === 'connecting' && connection.attempt > 0
}

/** Says nothing about a short interruption; the events that were missed arrive anyway. */
function Reconnecting() {
  const [isShown, setShown] = useState(false)

  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 1_500)
    return () => clearTimeout(timer)
  }, [])

  return isShown ? (
    <span className="connection-text">
      <Icon name="spinner" size={14} />
      Reconnecting… Nothing is lost.
    </span>
  ) : null
}
