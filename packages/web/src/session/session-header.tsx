// The head of a session: its name, where it works, what it does, and its menu.
import type { SessionView } from '@quayside/client/react'
import { inPlainSight } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { PanelToggle } from '../panels/panel-slot.js'
import { useMay } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link } from '../shared/route.js'
import { sessionState } from '../shared/session-state.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings.js'
import { SessionMenu } from './session-menu.js'
import { allow, allowanceOf } from './session-rules.js'

const words = strings.session

type SessionHeaderProps = {
  readonly sessionId: string
  readonly view: SessionView
  readonly agentName: string
  readonly repo: { readonly name: string; readonly branch?: string } | undefined
}

export function SessionHeader({ sessionId, view, agentName, repo }: SessionHeaderProps) {
  const [isRenaming, setRenaming] = useState(false)
  const mayRename = useMay('write')
  const { look, words: state } = sessionState(view.status, view.activity)
  const title = inPlainSight(view.title ?? (view.is === 'loading' ? '' : strings.common.newSession))
  useTitle(`${look === 'attention' ? '● ' : ''}${title || words.session} · ${strings.appName}`)
  const place = [repo?.name, repo?.branch, agentName].filter(Boolean).join(' · ')

  return (
    <header className="session-head">
      <Link className="icon-button back" href="/" aria-label={strings.frame.allSessions}>
        <Icon name="back" size={18} />
      </Link>
      {isRenaming ? (
        <Rename
          title={view.title ?? ''}
          onClose={() => setRenaming(false)}
          onRename={async (name) => {
            await view.session?.change({ title: name })
          }}
        />
      ) : (
        <h1 className="session-name" dir="auto" title={title}>
          {mayRename ? (
            <button type="button" className="session-name-button" onClick={() => setRenaming(true)}>
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
      <span className="crumb">{place}</span>
      <span className="spacer" />
      <PanelToggle sessionId={sessionId} />
      {view.session && (
        <SessionMenu view={view} session={view.session} onRename={() => setRenaming(true)} />
      )}
    </header>
  )
}

/** Always in sight while the hub answers permissions by itself. */
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

type RenameProps = {
  readonly title: string
  readonly onClose: () => void
  readonly onRename: (title: string) => Promise<void>
}

function Rename({ title, onClose, onRename }: RenameProps) {
  const [name, setName] = useState(title)

  function save(event: FormEvent) {
    event.preventDefault()
    onClose()
    // The old name stays when the hub does not take the new one; the banner says that it is not there.
    if (name.trim() !== '' && name !== title) onRename(name.trim()).catch(() => {})
  }

  return (
    <form className="rename" onSubmit={save}>
      <input
        className="field"
        aria-label={words.renameLabel}
        value={name}
        dir="auto"
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
        onBlur={onClose}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onClose()
        }}
      />
    </form>
  )
}
