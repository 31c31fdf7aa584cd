// One session: its header, the timeline, the decision that waits, and the composer.
import { useSession, type SessionView } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { PanelSlot, PanelToggle } from '../panels/panel-slot.js'
import { useHub, useLists } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link } from '../shared/route.js'
import { sessionState } from '../shared/session-state.js'
import { useTitle } from '../shared/use-title.js'
import { Announcements } from './announcements.js'
import { Composer } from './composer.js'
import { DecisionDock } from './decision-dock.js'
import { Timeline } from './timeline.js'

export function SessionPage({ id }: { id: string }) {
  const view = useSession(id)
  const { lists } = useHub()
  const { agents } = useLists()
  const { is, error, session, title, status, activity } = view
  const [permission] = view.permissions
  const [problem, setProblem] = useState<string>()
  const agentName = agents.find(({ id }) => id === view.info?.extensionId)?.name ?? 'The agent'

  useEffect(() => {
    if (is === 'ready') void lists.checkSession(id, { title, status, activity })
  }, [lists, id, is, title, status, activity])

  function attempt(action: Promise<unknown>) {
    setProblem(undefined)
    action.catch((error: unknown) => setProblem(problemOf(error)))
  }

  if (is === 'missing' || is === 'failed') return <Unavailable problem={error?.message} />

  return (
    <div className="session-with-panel">
      <div className="session">
        <SessionHeader
          sessionId={id}
          view={view}
          onEnd={() => session && attempt(session.delete())}
        />
        <Timeline sessionId={id} agentName={agentName} />
        <div className="below">
          <div className="column">
            {permission && (
              <DecisionDock
                key={permission.permissionId}
                view={view}
                item={permission}
                agentName={agentName}
              />
            )}
            <p className="session-problem problem" role="alert">
              {problem}
            </p>
            <SessionComposer
              sessionId={id}
              view={view}
              agentName={agentName}
              onStop={() => attempt(view.cancel())}
            />
          </div>
        </div>
        <Announcements view={view} agentName={agentName} />
      </div>
      <PanelSlot sessionId={id} repoId={view.info?.repoId} />
    </div>
  )
}

type SessionHeaderProps = {
  readonly sessionId: string
  readonly view: SessionView
  readonly onEnd: () => void
}

function SessionHeader({ sessionId, view, onEnd }: SessionHeaderProps) {
  const { repos } = useLists()
  const { look, words } = sessionState(view.status, view.activity)
  const repo = repos.find(({ id }) => id === view.info?.repoId)
  const title = view.title ?? (view.is === 'loading' ? '' : 'New session')
  useTitle(`${look === 'attention' ? '● ' : ''}${title || 'Session'} · Quayside`)

  return (
    <header className="session-head">
      <Link className="icon-button back" href="/" aria-label="All sessions">
        <Icon name="back" size={18} />
      </Link>
      <h1 className="session-name" dir="auto">
        {title}
      </h1>
      <span className="crumb">{[repo?.name, repo?.branch].filter(Boolean).join(' · ')}</span>
      {view.is === 'ready' && (
        <span className={`pill ${look}`}>
          <i className={`dot ${look}`} />
          {words}
        </span>
      )}
      <span className="spacer" />
      {view.is === 'ready' && view.status === 'active' && (
        <button className="quiet-button" onClick={onEnd}>
          End session
        </button>
      )}
      <PanelToggle sessionId={sessionId} />
    </header>
  )
}

type SessionComposerProps = {
  readonly sessionId: string
  readonly view: SessionView
  readonly agentName: string
  readonly onStop: () => void
}

function SessionComposer({ sessionId, view, agentName, onStop }: SessionComposerProps) {
  const isBusy = view.activity !== 'idle'
  if (view.status !== 'active') {
    return (
      <p className="ended">
        This session has ended. You can still read it, or <Link href="/">start a new one</Link>.
      </p>
    )
  }
  return (
    <Composer
      draftKey={sessionId}
      placeholder={isBusy ? 'Add a follow-up' : `Message ${agentName}`}
      hint={
        isBusy
          ? 'Enter to queue · Shift Enter for a new line'
          : 'Enter to send · Shift Enter for a new line'
      }
      isDisabled={view.is !== 'ready'}
      onSend={view.send}
      onStop={isBusy ? onStop : undefined}
    />
  )
}

function Unavailable({ problem }: { problem: string | undefined }) {
  return (
    <div className="home">
      <div className="home-column narrow">
        <h1 className="display">This session cannot be shown</h1>
        <p className="lead">{problem}</p>
        <Link className="button" href="/">
          All sessions
        </Link>
      </div>
    </div>
  )
}
