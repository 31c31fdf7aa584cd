// The page of one session: header, transcript, decisions, queue, composer, and the panels beside them.
import '../styles/session-page.css'
import { useSession, useSessions, type SessionView } from '@quayside/client/react'
import { useMemo, useState } from 'react'
import { useChanges } from '../panels/changes/use-changes.js'
import { PanelSlot } from '../panels/panel-slot.js'
import { useLists, useMay } from '../hub/hub-context.js'
import { focusComposer } from '../shared/page-focus.js'
import { LIVE_SESSIONS } from '../sessions/session-queries.js'
import { problemOf } from '../shared/problem.js'
import { Link } from '../shared/route.js'
import { hubSentence, strings } from '../strings/strings.js'
import { sinceTime } from '../shared/text/times.js'
import { Announcements } from './announcements.js'
import { draftOf } from '../drafts/draft.js'
import { ScrollAnchor } from './context/scroll-anchor.js'
import { DecisionDock } from './decision/decision-dock.js'
import { PlanLine } from './rows/plan.js'
import { QueueDock } from './queue-dock.js'
import { SessionComposer } from './session-composer.js'
import {
  SessionProvider,
  useSessionContext,
  type SessionContextValue,
} from './context/session-context.js'
import { useMachine } from './context/session-machine.js'
import { SessionHeader } from './session-header.js'
import { TranscriptView } from './transcript/transcript-view.js'
import { useSessionKeys } from './use-session-keys.js'
import { UnlessRemoved } from './workspace/removed-work-tree.js'

const words = strings.session

export function SessionPage({ id }: { id: string }) {
  const view = useSession(id)
  const { agents, repos } = useLists()
  const { is, error } = view
  const agentName = agents.find(({ id }) => id === view.info?.extensionId)?.name ?? words.theAgent
  const changes = useChanges(id)
  useSessionKeys()
  const repo = repos.find(({ id }) => id === view.info?.repoId)
  const root = view.info?.workspace?.path ?? repo?.path
  const mayWrite = useMay('write')
  const [scrollAnchor] = useState(() => new ScrollAnchor())

  const context: SessionContextValue = useMemo(
    () => ({
      sessionId: id,
      agentName,
      root,
      scrollAnchor,
      ...(mayWrite && {
        compose: (text: string) => {
          draftOf(id).add(text)
          focusComposer()
        },
      }),
    }),
    [id, agentName, root, scrollAnchor, mayWrite],
  )

  if (is === 'missing' || is === 'failed')
    return <Unavailable problem={error && hubSentence(error.message)} />
  return (
    <SessionProvider value={context}>
      <div className="session-frame">
        <div className="session">
          <SessionHeader
            sessionId={id}
            view={view}
            agentName={agentName}
            repo={repo}
            changes={changes}
          />
          <TranscriptView />
          <SessionFooter view={view} agentName={agentName} repo={repo} />
          <Announcements view={view} agentName={agentName} />
        </div>
        <PanelSlot sessionId={id} repoId={view.info?.repoId} changes={changes} />
      </div>
    </SessionProvider>
  )
}

type SessionFooterProps = {
  readonly view: SessionView
  readonly agentName: string
  readonly repo:
    | { readonly id: string; readonly path: string; readonly missing: boolean }
    | undefined
}

/** Everything below the transcript, most urgent first. */
function SessionFooter({ view, agentName, repo }: SessionFooterProps) {
  const [problem, setProblem] = useState<string>()
  const isWorking = view.status === 'active' && view.activity !== 'idle'
  const mayWrite = useMay('write')

  function attempt(action: Promise<unknown>) {
    setProblem(undefined)
    action.catch((error: unknown) => setProblem(problemOf(error)))
  }

  if (view.isArchived) return <Archived view={view} attempt={attempt} problem={problem} />
  return (
    <div className="below" data-deciding={view.permissions.length + view.questions.length > 0}>
      <div className="column">
        <NotStored />
        <MachineAway view={view} />
        {repo?.missing && <p className="banner warning">{words.repoGone(repo.path)}</p>}
        <DecisionDock view={view} agentName={agentName} />
        <p className="session-problem problem" role="alert">
          {problem}
        </p>
        {isWorking && view.plan.length > 0 && <PlanLine entries={view.plan} />}
        {view.session && (
          <QueueDock
            queue={view.queue}
            isPaused={view.isQueuePaused}
            session={view.session}
            attempt={attempt}
          />
        )}
        {mayWrite ? (
          <UnlessRemoved view={view}>
            <SessionComposer
              view={view}
              agentName={agentName}
              repoId={repo?.id}
              attempt={attempt}
            />
          </UnlessRemoved>
        ) : (
          <p className="banner" data-testid="look-on">
            {words.lookOn}
          </p>
        )}
      </div>
    </div>
  )
}

/** The machine that runs the session does not answer. */
function MachineAway({ view }: { readonly view: SessionView }) {
  const hub = useMachine(useSessionContext().sessionId, view)
  return (
    <div role="status">
      {hub?.state === 'away' && (
        <p className="banner warning">{words.machineAway(hub.name, sinceTime(hub.since))}</p>
      )}
    </div>
  )
}

/** A component of its own, because it is drawn again with every change of a session. */
function NotStored() {
  const { sessionId } = useSessionContext()
  const { sessions } = useSessions(LIVE_SESSIONS)
  const isNotStored = sessions.some(({ id, notStored }) => id === sessionId && notStored)
  return (
    <div role="alert">{isNotStored && <p className="banner warning">{words.notStored}</p>}</div>
  )
}

type ArchivedProps = {
  readonly view: SessionView
  readonly attempt: (action: Promise<unknown>) => void
  readonly problem: string | undefined
}

/** The note of an archived session, which can be read but not written to until it is restored. */
function Archived({ view: { session }, attempt, problem }: ArchivedProps) {
  return (
    <div className="below">
      <div className="column">
        <p className="banner" role="status">
          {words.archived}
          {session && (
            <button
              type="button"
              className="quiet-button strong"
              onClick={() => attempt(session.change({ archived: false }))}
            >
              {strings.menu.unarchive}
            </button>
          )}
        </p>
        <p className="session-problem problem" role="alert">
          {problem}
        </p>
      </div>
    </div>
  )
}

function Unavailable({ problem }: { problem: string | undefined }) {
  return (
    <div className="home">
      <div className="home-column narrow">
        <h1 className="display">{words.notShown}</h1>
        <p className="lead">{problem}</p>
        <Link className="button" href="/">
          {strings.frame.allSessions}
        </Link>
      </div>
    </div>
  )
}
