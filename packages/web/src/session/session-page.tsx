// One session: its header, the timeline, the decision that waits, and the composer.
import type { SessionStore } from './session-store.js'
import { useEffect, useState } from 'react'
import { useHub, useLists } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link } from '../shared/route.js'
import { sessionState } from '../shared/session-state.js'
import { useStore } from '../shared/store.js'
import { useTitle } from '../shared/use-title.js'
import { Announcements } from './announcements.js'
import { Composer } from './composer.js'
import { DecisionDock } from './decision-dock.js'
import { Timeline } from './timeline.js'
import { useSessionStore } from './use-session.js'

export function SessionPage({ id }: { id: string }) {
  const store = useSessionStore(id)
  const { client, lists } = useHub()
  const { agents } = useLists()
  const head = useStore(store.head)
  const [problem, setProblem] = useState<string>()
  const agentName = agents.find(({ id }) => id === head.extensionId)?.name ?? 'The agent'

  useEffect(() => store.head.subscribe(() => void lists.refreshSessions()), [store, lists])

  function attempt(action: Promise<unknown>) {
    setProblem(undefined)
    action.catch((error: unknown) => setProblem(problemOf(error)))
  }

  if (head.is === 'missing' || head.is === 'failed') return <Unavailable problem={head.problem} />

  return (
    <div className="session">
      <SessionHeader store={store} onEnd={() => attempt(client.sessions.end(id))} />
      <Timeline store={store} agentName={agentName} />
      <div className="below">
        <div className="column">
          {head.permission !== undefined && (
            <DecisionDock
              key={head.permission}
              store={store}
              permissionId={head.permission}
              agentName={agentName}
            />
          )}
          <p className="session-problem problem" role="alert">
            {problem}
          </p>
          <SessionComposer
            store={store}
            agentName={agentName}
            onStop={() => attempt(store.cancel())}
          />
        </div>
      </div>
      <Announcements store={store} agentName={agentName} />
    </div>
  )
}

function SessionHeader({ store, onEnd }: { store: SessionStore; onEnd: () => void }) {
  const { repos } = useLists()
  const head = useStore(store.head)
  const { look, words } = sessionState(head.status, head.activity)
  const repo = repos.find(({ id }) => id === head.repoId)
  const title = head.title ?? (head.is === 'loading' ? '' : 'New session')
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
      {head.is === 'ready' && (
        <span className={`pill ${look}`}>
          <i className={`dot ${look}`} />
          {words}
        </span>
      )}
      <span className="spacer" />
      {head.is === 'ready' && head.status === 'active' && (
        <button className="quiet-button" onClick={onEnd}>
          End session
        </button>
      )}
    </header>
  )
}

type SessionComposerProps = {
  readonly store: SessionStore
  readonly agentName: string
  readonly onStop: () => void
}

function SessionComposer({ store, agentName, onStop }: SessionComposerProps) {
  const head = useStore(store.head)
  const isBusy = head.activity !== 'idle'
  if (head.status !== 'active') {
    return (
      <p className="ended">
        This session has ended. You can still read it, or <Link href="/">start a new one</Link>.
      </p>
    )
  }
  return (
    <Composer
      draftKey={store.id}
      placeholder={isBusy ? 'Add a follow-up' : `Message ${agentName}`}
      hint={
        isBusy
          ? 'Enter to queue · Shift Enter for a new line'
          : 'Enter to send · Shift Enter for a new line'
      }
      isDisabled={head.is !== 'ready'}
      onSend={(text) => store.prompt(text)}
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
