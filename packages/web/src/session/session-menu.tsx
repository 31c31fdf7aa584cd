// What can be done with a whole session while one reads it: name, pin, archive, export, end, delete.
import type { AgentSession } from '@quayside/client'
import { useSessions, type SessionView } from '@quayside/client/react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ALL_SESSIONS } from '../home/session-list.js'
import { DeleteSessionDialog } from '../shared/delete-session-dialog.js'
import { useMay } from '../shared/hub-context.js'
import { Icon, type IconName } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { sessionExports } from '../shared/session-exports.js'
import { say } from '../shared/toasts.js'
import { useSessionCommands, type SessionCommands } from '../shared/use-session-commands.js'
import { strings } from '../strings.js'

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
    session.complete().catch((error: unknown) => say({ text: problemOf(error) }))
  }

  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className="icon-button small"
          aria-label={words.more}
          title={words.more}
        >
          <Icon name="more" size={18} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
            {mayChange && (
              <>
                <Entry icon="edit" onSelect={() => requestAnimationFrame(onRename)}>
                  {strings.menu.rename}
                </Entry>
                <Marks session={session} commands={commands} />
                <DropdownMenu.Separator className="menu-line" />
              </>
            )}
            {sessionExports(session.id).map(({ href, label }) => (
              <DropdownMenu.Item key={href} className="menu-item" asChild>
                <a href={href} download>
                  <Icon name="download" />
                  {label}
                </a>
              </DropdownMenu.Item>
            ))}
            {mayChange && (
              <>
                <DropdownMenu.Separator className="menu-line" />
                {view.status === 'active' && (
                  <Entry icon="checkCircle" onSelect={complete}>
                    {words.complete}
                  </Entry>
                )}
                <Entry icon="trash" isDangerous onSelect={() => setDeleting(true)}>
                  {strings.menu.delete}
                </Entry>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
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

type MarksProps = { readonly session: AgentSession; readonly commands: SessionCommands }

function Marks({ session, commands }: MarksProps) {
  const { sessions } = useSessions(ALL_SESSIONS)
  const { pinned, archived } = sessions.find(({ id }) => id === session.id) ?? session.info
  return (
    <>
      <Entry icon="pin" onSelect={() => commands.pin(!pinned)}>
        {pinned ? strings.menu.unpin : strings.menu.pin}
      </Entry>
      <Entry icon="archive" onSelect={() => commands.archive(!archived)}>
        {archived ? strings.menu.unarchive : strings.menu.archive}
      </Entry>
    </>
  )
}

type EntryProps = {
  readonly icon: IconName
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly isDangerous?: boolean
}

function Entry({ icon, children, onSelect, isDangerous = false }: EntryProps) {
  return (
    <DropdownMenu.Item
      className={isDangerous ? 'menu-item danger' : 'menu-item'}
      onSelect={() => onSelect()}
    >
      <Icon name={icon} />
      {children}
    </DropdownMenu.Item>
  )
}
