// What can be done with a whole session while one reads it: name, pin, archive, export, end, delete.
import type { AgentSession } from '@quayside/client'
import { useSessions, type SessionView } from '@quayside/client/react'
import { useState } from 'react'
import { ALL_SESSIONS } from '../sessions/session-list.js'
import { DeleteSessionDialog } from '../sessions/delete-session-dialog.js'
import { useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuDownload, MenuItem, MenuLine } from '../shared/controls/menu.js'
import { problemOf } from '../shared/problem.js'
import { sessionExports } from '../sessions/session-exports.js'
import { showToast } from '../shared/controls/toasts.js'
import { useSessionCommands, type SessionCommands } from '../sessions/use-session-commands.js'
import { strings } from '../strings/strings.js'

const words = strings.session

type SessionMenuProps = {
  readonly view: SessionView
  readonly session: AgentSession
  readonly onRename: () => void
}

export function SessionMenu({ view, session, onRename }: SessionMenuProps) {
  const [isDeleting, setDeleting] = useState(false)
  const mayChange = useMay('write')
  const title = view.title ?? strings.common.newSession
  const commands = useSessionCommands({ id: session.id, title })

  function complete() {
    session.complete().catch((error: unknown) => showToast({ text: problemOf(error) }))
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className="icon-button small"
            aria-label={words.more}
            title={words.more}
          >
            <Icon name="more" size={18} />
          </button>
        }
      >
        {mayChange && (
          <>
            <MenuItem icon="edit" onSelect={() => requestAnimationFrame(onRename)}>
              {strings.menu.rename}
            </MenuItem>
            <Marks session={session} isArchived={view.isArchived} commands={commands} />
            <MenuLine />
          </>
        )}
        {sessionExports(session.id).map(({ href, label }) => (
          <MenuDownload key={href} href={href}>
            {label}
          </MenuDownload>
        ))}
        {mayChange && (
          <>
            <MenuLine />
            {view.status === 'active' && (
              <MenuItem icon="checkCircle" onSelect={complete}>
                {words.complete}
              </MenuItem>
            )}
            <MenuItem icon="trash" isDangerous onSelect={() => setDeleting(true)}>
              {strings.menu.delete}
            </MenuItem>
          </>
        )}
      </Menu>
      {isDeleting && (
        <DeleteSessionDialog
          title={title}
          onDelete={commands.remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

type MarksProps = {
  readonly session: AgentSession
  readonly isArchived: boolean
  readonly commands: SessionCommands
}

function Marks({ session, isArchived, commands }: MarksProps) {
  const { sessions } = useSessions(ALL_SESSIONS)
  const { pinned } = sessions.find(({ id }) => id === session.id) ?? session.info
  return (
    <>
      <MenuItem icon="pin" onSelect={() => commands.pin(!pinned)}>
        {pinned ? strings.menu.unpin : strings.menu.pin}
      </MenuItem>
      <MenuItem icon="archive" onSelect={() => commands.archive(!isArchived)}>
        {isArchived ? strings.menu.unarchive : strings.menu.archive}
      </MenuItem>
    </>
  )
}
