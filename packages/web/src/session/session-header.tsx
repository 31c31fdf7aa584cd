// The header of a session: title, repository, state, branch and menu.
import type { SessionChanges } from '@quayside/client'
import type { SessionView } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { useState } from 'react'
import { ChangesButton, PanelToggle } from '../panels/panel-slot.js'
import { useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { restoreFocus } from '../shared/page-focus.js'
import { problemOf } from '../shared/problem.js'
import { RenameField } from '../sessions/rename-field.js'
import { Link } from '../shared/route.js'
import {
  ASLEEP,
  INTERRUPTED,
  isInterrupted,
  isSleep,
  type SessionState,
  sessionState,
  TIMED_OUT,
} from '../sessions/session-state.js'
import { showToast } from '../shared/controls/toasts.js'
import type { Loaded } from '../shared/use-loaded.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { SessionPageMenu } from '../sessions/session-menu.js'
import { useMachine } from './context/session-machine.js'
import { type SessionEnd, useSessionEnd, useTimedOut } from './context/session-end.js'
import { allow, allowanceOf } from './context/session-rules.js'
import { WorkspaceMenu } from './workspace/workspace-menu.js'

const words = strings.session

type SessionHeaderProps = {
  readonly sessionId: string
  readonly view: SessionView
  readonly agentName: string
  readonly repo: { readonly name: string; readonly branch?: string } | undefined
  readonly changes: Loaded<SessionChanges>
}

export function SessionHeader(props: SessionHeaderProps) {
  const { sessionId, view, agentName, repo, changes } = props
  const [isRenaming, setRenaming] = useState(false)
  const mayRename = useMay('write')
  const end = useSessionEnd(view)
  const hasTimedOut = useTimedOut(view)
  const hub = useMachine(sessionId, view)
  const isAway = hub?.state === 'away' && view.status === 'active'
  const own = hasTimedOut ? TIMED_OUT : stateOf(view, end)
  const { look, words: state } = isAway
    ? { look: 'danger' as const, words: strings.states.awayShort(hub.name) }
    : own
  const title = escapeInvisible(
    view.title ?? (view.is === 'loading' ? '' : strings.common.newSession),
  )
  useTitle(`${look === 'attention' ? '● ' : ''}${title || words.session} · ${strings.appName}`)
  const hasOwnBranch = view.info?.workspace?.branch !== undefined
  const branch = hasOwnBranch ? undefined : repo?.branch
  const crumb = [isAway ? undefined : hub?.name, repo?.name, branch, agentName]
    .filter(Boolean)
    .join(' · ')

  function rename(name?: string) {
    setRenaming(false)
    restoreFocus(() => document.querySelector<HTMLElement>('.session-name-button'))
    const asked = name === undefined ? undefined : view.session?.change({ title: name })
    asked?.catch((error: unknown) => showToast({ text: problemOf(error) }))
  }

  return (
    <header className="session-head">
      <div className="session-head-row">
        <Link className="icon-button back" href="/" aria-label={strings.frame.allSessions}>
          <Icon name="back" size={18} />
        </Link>
        {isRenaming ? (
          <RenameField title={view.title ?? ''} onDone={rename} />
        ) : (
          <h1 className="session-name" dir="auto" title={title}>
            {mayRename ? (
              <button
                type="button"
                className="session-name-button"
                onClick={() => setRenaming(true)}
              >
                {title}
              </button>
            ) : (
              title
            )}
          </h1>
        )}
        {view.is === 'ready' && (
          <span className={`pill ${look}`} data-testid="status-pill">
            <i className={`dot ${look}`} />
            {state}
          </span>
        )}
        <Allowing view={view} />
        <span className="crumb">{crumb}</span>
        {hasOwnBranch && <WorkspaceMenu view={view} />}
        <span className="spacer" />
        <ChangesButton sessionId={sessionId} changes={changes} />
        <PanelToggle sessionId={sessionId} />
        {view.session && (
          <SessionPageMenu view={view} session={view.session} onRename={() => setRenaming(true)} />
        )}
      </div>
    </header>
  )
}

/** An agent that is signed out can only be idle until a person signs in. */
function stateOf({ status, activity, agent }: SessionView, end?: SessionEnd): SessionState {
  if (isSleep(end)) return ASLEEP
  if (isInterrupted(end)) return INTERRUPTED
  if (agent?.isSignedOut && activity === 'idle')
    return { look: 'attention', words: words.signedOut }
  return sessionState(status, activity)
}

/** Always visible while the hub answers permissions automatically. */
function Allowing({ view: { settings, session } }: { view: SessionView }) {
  const [problem, setProblem] = useState<string>()
  const mayChange = useMay('write')
  const allowance = allowanceOf(settings)
  if (allowance === undefined) return null
  return (
    <span className="allowing" data-testid="allowing" title={problem}>
      {problem ?? words.allowing[allowance]}
      {mayChange && (
        <button
          type="button"
          aria-label={words.askAgain}
          title={words.askAgain}
          onClick={() => {
            const asked = session?.change(allow(undefined))
            asked?.catch((error: unknown) => setProblem(problemOf(error)))
          }}
        >
          <Icon name="cross" size={12} />
        </button>
      )}
    </span>
  )
}
