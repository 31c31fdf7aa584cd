// What can be done with one session: the menu of its row, and the keys that do the same.
import type { SessionSummary } from '@quayside/protocol'
import { useState } from 'react'
import { SessionSettings } from './session-settings.js'
import { copy } from '../shared/controls/copy-button.js'
import { useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuDownload, MenuItem, MenuLine } from '../shared/controls/menu.js'
import { markUnread } from './read-marks.js'
import { navigate, sessionPath } from '../shared/route.js'
import { sessionExports } from './session-exports.js'
import { showToast } from '../shared/controls/toasts.js'
import type { SessionCommands } from './use-session-commands.js'
import { strings } from '../strings/strings.js'

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
    if (await copy(new URL(path, location.href).href)) showToast({ text: words.linkCopied })
  }

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
            <MenuItem icon="edit" keys="F2" onSelect={onRename}>
              {words.rename}
            </MenuItem>
            <MenuItem icon="pin" onSelect={() => commands.pin(!session.pinned)}>
              {session.pinned ? words.unpin : words.pin}
            </MenuItem>
          </>
        )}
        <MenuItem icon="circle" onSelect={() => markUnread(session)}>
          {words.markUnread}
        </MenuItem>
        <MenuItem icon="link" onSelect={() => void copyLink()}>
          {words.copyLink}
        </MenuItem>
        {mayChange && (
          <MenuItem icon="gear" onSelect={() => setSettingUp(true)}>
            {words.settings}
          </MenuItem>
        )}
        <MenuLine />
        {sessionExports(session.id).map(({ href, label }) => (
          <MenuDownload key={href} href={href}>
            {label}
          </MenuDownload>
        ))}
        {mayChange && <Endings session={session} commands={commands} onDelete={onDelete} />}
      </Menu>
      {isSettingUp && <SessionSettings session={session} onClose={() => setSettingUp(false)} />}
    </>
  )
}

type EndingsProps = Pick<SessionMenuProps, 'session' | 'commands' | 'onDelete'>

function Endings({ session, commands, onDelete }: EndingsProps) {
  return (
    <>
      <MenuLine />
      {session.status === 'active' && (
        <MenuItem icon="checkCircle" onSelect={commands.end}>
          {words.end}
        </MenuItem>
      )}
      <MenuItem icon="archive" keys="E" onSelect={() => commands.archive(!session.archived)}>
        {session.archived ? words.unarchive : words.archive}
      </MenuItem>
      <MenuItem icon="trash" keys="Del" isDangerous onSelect={onDelete}>
        {words.delete}
      </MenuItem>
    </>
  )
}
