// The two menus of a session, on its row in a list and on its page, arranged from the same items.
import { useSessions, type SessionView } from '@quayside/client/react'
import type { AgentSession } from '@quayside/client'
import type { SessionSummary } from '@quayside/protocol'
import { useState } from 'react'
import { useMay } from '../hub/hub-context.js'
import { copy } from '../shared/controls/copy-button.js'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuDownload, MenuItem, MenuLine } from '../shared/controls/menu.js'
import { showToast } from '../shared/controls/toasts.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { navigate, sessionPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'
import { DeleteSessionDialog } from './delete-session-dialog.js'
import { markUnread } from './read-marks.js'
import { sessionExports } from './session-exports.js'
import { ALL_SESSIONS } from './session-queries.js'
import { useSessionCommands, type SessionCommands } from './use-session-commands.js'

type RowMenuProps = {
  readonly session: SessionSummary
  readonly commands: SessionCommands
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly onRename: () => void
  readonly onDelete: () => void
}

const words = strings.menu
const SessionSettings = inOwnScript(
  async () => (await import('./session-settings.js')).SessionSettings,
)

export function SessionRowMenu(props: RowMenuProps) {
  const { session, commands, isOpen, onOpenChange, onRename, onDelete } = props
  const [isSettingUp, setSettingUp] = useState(false)
  const mayChange = useMay('write')
  const title = session.title ?? strings.common.newSession
  const path = sessionPath(session.id)

  return (
    <>
      <Menu
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        trigger={
          <button type="button" className="row-menu" aria-label={strings.list.actions(title)}>
            <Icon name="more" />
          </button>
        }
      >
        <MenuItem icon="chevron" onSelect={() => navigate(path)}>
          {words.open}
        </MenuItem>
        {mayChange && (
          <>
            <RenameItem keys="F2" onRename={onRename} />
            <PinItem isPinned={session.pinned} commands={commands} />
          </>
        )}
        <MenuItem icon="circle" onSelect={() => markUnread(session)}>
          {words.markUnread}
        </MenuItem>
        <MenuItem icon="link" onSelect={() => void copyLink(path)}>
          {words.copyLink}
        </MenuItem>
        {mayChange && (
          <MenuItem icon="gear" onSelect={() => setSettingUp(true)}>
            {words.settings}
          </MenuItem>
        )}
        <MenuLine />
        <ExportItems sessionId={session.id} />
        {mayChange && (
          <>
            <MenuLine />
            {session.status === 'active' && <EndItem onEnd={commands.end} />}
            <ArchiveItem keys="E" isArchived={session.archived} commands={commands} />
            <DeleteItem keys="Del" onDelete={onDelete} />
          </>
        )}
      </Menu>
      {isSettingUp && <SessionSettings session={session} onClose={() => setSettingUp(false)} />}
    </>
  )
}

type PageMenuProps = {
  readonly view: SessionView
  readonly session: AgentSession
  readonly onRename: () => void
}

export function SessionPageMenu({ view, session, onRename }: PageMenuProps) {
  const [isDeleting, setDeleting] = useState(false)
  const mayChange = useMay('write')
  const title = view.title ?? strings.common.newSession
  const commands = useSessionCommands({ id: session.id, title })

  return (
    <>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className="icon-button small"
            aria-label={strings.session.more}
            title={strings.session.more}
          >
            <Icon name="more" size={18} />
          </button>
        }
      >
        {mayChange && (
          <>
            <RenameItem onRename={onRename} />
            <ListedPinItem session={session} commands={commands} />
            <ArchiveItem isArchived={view.isArchived} commands={commands} />
            <MenuLine />
          </>
        )}
        <ExportItems sessionId={session.id} />
        {mayChange && (
          <>
            <MenuLine />
            {view.status === 'active' && <EndItem onEnd={commands.end} />}
            <DeleteItem onDelete={() => setDeleting(true)} />
          </>
        )}
      </Menu>
      {isDeleting && (
        <DeleteSessionDialog
          sessionId={session.id}
          title={title}
          onDelete={commands.remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

async function copyLink(path: string): Promise<void> {
  if (await copy(new URL(path, location.href).href)) showToast({ text: words.linkCopied })
}

/** `keys` is shown beside an item whose key the row of the session handles. */
type Keys = { readonly keys?: string }

function RenameItem({ onRename, ...keys }: Keys & { readonly onRename: () => void }) {
  return (
    <MenuItem icon="edit" onSelect={onRename} {...keys}>
      {words.rename}
    </MenuItem>
  )
}

function PinItem({ isPinned, commands }: { isPinned: boolean; commands: SessionCommands }) {
  return (
    <MenuItem icon="pin" onSelect={() => commands.pin(!isPinned)}>
      {isPinned ? words.unpin : words.pin}
    </MenuItem>
  )
}

/** The pin state comes from the list, because the session's view does not include it. */
function ListedPinItem({
  session,
  commands,
}: {
  session: AgentSession
  commands: SessionCommands
}) {
  const { sessions } = useSessions(ALL_SESSIONS)
  const { pinned } = sessions.find(({ id }) => id === session.id) ?? session.info
  return <PinItem isPinned={pinned} commands={commands} />
}

type ArchiveItemProps = Keys & { readonly isArchived: boolean; readonly commands: SessionCommands }

function ArchiveItem({ isArchived, commands, ...keys }: ArchiveItemProps) {
  return (
    <MenuItem icon="archive" onSelect={() => commands.archive(!isArchived)} {...keys}>
      {isArchived ? words.unarchive : words.archive}
    </MenuItem>
  )
}

function ExportItems({ sessionId }: { sessionId: string }) {
  return sessionExports(sessionId).map(({ href, label }) => (
    <MenuDownload key={href} href={href}>
      {label}
    </MenuDownload>
  ))
}

function EndItem({ onEnd }: { onEnd: () => void }) {
  return (
    <MenuItem icon="checkCircle" onSelect={onEnd}>
      {words.end}
    </MenuItem>
  )
}

function DeleteItem({ onDelete, ...keys }: Keys & { readonly onDelete: () => void }) {
  return (
    <MenuItem icon="trash" isDangerous onSelect={onDelete} {...keys}>
      {words.delete}
    </MenuItem>
  )
}
