// One session in the list: link, menu, rename field and keys.
import type { ListedSession } from '@quayside/protocol'
import { memo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { DeleteSessionDialog } from './delete-session-dialog.js'
import { useMay } from '../hub/hub-context.js'
import { restoreFocus, useLeavingFocus } from '../shared/page-focus.js'
import { RenameField } from './rename-field.js'
import { sessionPath } from '../shared/route.js'
import { useSessionCommands } from './use-session-commands.js'
import { strings } from '../strings/strings.js'
import { SessionLink } from './session-link.js'
import { SessionRowMenu } from './session-menu.js'

type SessionRowProps = {
  readonly session: ListedSession
  readonly isCurrent: boolean
  readonly repoName?: string | undefined
  /** Tells it apart from another session with the same title. */
  readonly mark?: string | undefined
}

/** Rendered again only when its own session changes. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, isCurrent, repoName, mark } = props
  const commands = useSessionCommands(session)
  const mayChange = useMay('write')
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const element = useRef<HTMLLIElement>(null)
  useLeavingFocus(element, (row) => moveFocus(row, session.id))
  const title = session.title ?? strings.common.newSession

  function onKeyDown(event: KeyboardEvent) {
    if (!mayChange || event.metaKey || event.ctrlKey || event.altKey) return
    const act = {
      F2: () => setRenaming(true),
      e: () => commands.archive(!session.archived),
      Delete: () => setDeleting(true),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <li ref={element} className="session-entry" data-menu={isMenuOpen || undefined}>
      {isRenaming ? (
        <RenameField
          title={session.title ?? ''}
          onDone={(name) => {
            setRenaming(false)
            restoreFocus(() => element.current?.querySelector('a'))
            if (name !== undefined) commands.rename(name)
          }}
        />
      ) : (
        <SessionLink
          data-testid="session-row"
          session={session}
          isCurrent={isCurrent}
          repoName={repoName}
          mark={mark}
          onKeyDown={onKeyDown}
          onContextMenu={(event) => {
            event.preventDefault()
            setMenuOpen(true)
          }}
        />
      )}
      <SessionRowMenu
        session={session}
        commands={commands}
        isOpen={isMenuOpen}
        onOpenChange={setMenuOpen}
        onRename={() => setRenaming(true)}
        onDelete={() => setDeleting(true)}
      />
      {isDeleting && (
        <DeleteSessionDialog
          sessionId={session.id}
          title={title}
          onDelete={commands.remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  )
})

/** Moves the focus when the row disappears (archived or deleted) or moves (pinned). */
function moveFocus(row: HTMLElement, id: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-testid=session-row]')]
  const at = rows.findIndex((one) => row.contains(one))
  const next = rows[at + 1] ?? rows[at - 1]
  const own = `[data-testid=session-row][href^="${sessionPath(id)}"]`
  restoreFocus(() => document.querySelector<HTMLElement>(own) ?? next)
}
