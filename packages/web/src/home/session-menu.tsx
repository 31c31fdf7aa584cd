// What can be done with one session: the menu of its row, and the keys that do the same.
import type { SessionSummary } from '@quayside/protocol'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { SessionSettings } from '../settings/session-settings.js'
import { copy } from '../shared/copy-button.js'
import { useMay } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { markUnread } from '../shared/read-marks.js'
import { navigate, sessionPath } from '../shared/route.js'
import { sessionExports } from '../shared/session-exports.js'
import { say } from '../shared/toasts.js'
import type { SessionCommands } from '../shared/use-session-commands.js'
import { strings } from '../strings.js'

type SessionMenuProps = {
  readonly session: SessionSummary
  readonly commands: SessionCommands
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly onRename: () => void
  readonly onDelete: () => void
}

const words = strings.menu

export function SessionMenu(props: SessionMenuProps) {
  const { session, commands, isOpen, onOpenChange, onRename, onDelete } = props
  const [isSettingUp, setSettingUp] = useState(false)
  const mayChange = useMay('write')
  const title = session.title ?? strings.common.newSession
  const path = sessionPath(session.id)

  async function copyLink() {
    if (await copy(new URL(path, location.href).href)) say({ text: words.linkCopied })
  }

  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger className="row-menu" aria-label={strings.list.actions(title)}>
        <Icon name="more" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className="popover menu" align="start" collisionPadding={8}>
        <Entry onSelect={() => navigate(path)}>{words.open}</Entry>
        {mayChange && (
          <>
            <Entry keys="F2" onSelect={onRename}>
              {words.rename}
            </Entry>
            <Entry onSelect={() => commands.pin(!session.pinned)}>
              {session.pinned ? words.unpin : words.pin}
            </Entry>
          </>
        )}
        <Entry onSelect={() => markUnread(session)}>{words.markUnread}</Entry>
        <Entry onSelect={() => void copyLink()}>{words.copyLink}</Entry>
        {mayChange && <Entry onSelect={() => setSettingUp(true)}>{words.settings}</Entry>}
        <DropdownMenu.Separator className="menu-line" />
        {sessionExports(session.id).map(({ href, label }) => (
          <DropdownMenu.Item key={href} className="menu-entry" asChild>
            <a href={href} download>
              {label}
            </a>
          </DropdownMenu.Item>
        ))}
        {mayChange && (
          <>
            <DropdownMenu.Separator className="menu-line" />
            {session.status === 'active' && <Entry onSelect={commands.end}>{words.end}</Entry>}
            <Entry keys="E" onSelect={() => commands.archive(!session.archived)}>
              {session.archived ? words.unarchive : words.archive}
            </Entry>
            <Entry keys="Del" isDangerous onSelect={onDelete}>
              {words.delete}
            </Entry>
          </>
        )}
      </DropdownMenu.Content>
      {isSettingUp && <SessionSettings session={session} onClose={() => setSettingUp(false)} />}
    </DropdownMenu.Root>
  )
}

type EntryProps = {
  readonly children: string
  readonly onSelect: () => void
  readonly keys?: string
  readonly isDangerous?: boolean
}

function Entry({ children, onSelect, keys, isDangerous = false }: EntryProps) {
  return (
    <DropdownMenu.Item
      className={isDangerous ? 'menu-entry bad' : 'menu-entry'}
      onSelect={() => onSelect()}
    >
      {children}
      {keys !== undefined && <kbd className="menu-keys">{keys}</kbd>}
    </DropdownMenu.Item>
  )
}
