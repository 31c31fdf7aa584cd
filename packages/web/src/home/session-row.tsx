// One session in a list: its title, what it does in words, and everything that can be done with it.
import type { ExcerptPart, ListedSession } from '@quayside/protocol'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { DeleteSessionDialog } from '../shared/delete-session-dialog.js'
import { useLists } from '../shared/hub-context.js'
import { useUnread } from '../shared/read-marks.js'
import { RenameField } from '../shared/rename-field.js'
import { Link, sessionPath } from '../shared/route.js'
import { sessionLine } from '../shared/session-state.js'
import { timeAgo } from '../shared/times.js'
import { useSessionCommands } from '../shared/use-session-commands.js'
import { strings } from '../strings.js'
import { SessionMenu } from './session-menu.js'

type SessionRowProps = {
  readonly session: ListedSession
  readonly isCurrent: boolean
  /** Named where rows of several repositories stand together. */
  readonly repoName?: string | undefined
}

export function SessionRow({ session, isCurrent, repoName }: SessionRowProps) {
  const commands = useSessionCommands(session)
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const title = session.title ?? strings.common.newSession

  function onKeyDown(event: KeyboardEvent) {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const act = {
      F2: () => setRenaming(true),
      e: () => commands.archive(!session.archived),
      Delete: () => setDeleting(true),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <li className="session-entry" data-menu={isMenuOpen || undefined}>
      {isRenaming ? (
        <RenameField
          title={session.title ?? ''}
          onDone={(name) => {
            setRenaming(false)
            if (name !== undefined) commands.rename(name)
          }}
        />
      ) : (
        <RowLink
          session={session}
          isCurrent={isCurrent}
          repoName={repoName}
          onKeyDown={onKeyDown}
          onContextMenu={() => setMenuOpen(true)}
        />
      )}
      <SessionMenu
        session={session}
        commands={commands}
        isOpen={isMenuOpen}
        onOpenChange={setMenuOpen}
        onRename={() => setRenaming(true)}
        onDelete={() => setDeleting(true)}
      />
      {isDeleting && (
        <DeleteSessionDialog
          title={title}
          onDelete={commands.remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  )
}

type RowLinkProps = SessionRowProps & {
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onContextMenu: () => void
}

function RowLink({ session, isCurrent, repoName, onKeyDown, onContextMenu }: RowLinkProps) {
  const { agents } = useLists()
  const isUnread = useUnread()(session)
  const { look, words } = sessionLine(session, isUnread)
  const agent = agents.find(({ id }) => id === session.extensionId)?.name ?? session.extensionId

  return (
    <Link
      className="session-row"
      href={sessionPath(session.id)}
      aria-current={isCurrent ? 'page' : undefined}
      data-look={look}
      data-testid="session-row"
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault()
        onContextMenu()
      }}
    >
      <i className={`dot ${look}`} />
      <span className="session-title" dir="auto">
        {session.title ?? strings.common.newSession}
      </span>
      <time className="session-time" dateTime={session.updatedAt}>
        {timeAgo(session.updatedAt)}
      </time>
      <span className="session-status">
        {look !== 'attention' && `${[repoName, agent].filter(Boolean).join(' · ')} · `}
        <span className="session-words">{words}</span>
      </span>
      {session.excerpt && <Excerpt parts={session.excerpt} />}
    </Link>
  )
}

function Excerpt({ parts }: { parts: readonly ExcerptPart[] }) {
  return (
    <span className="excerpt" dir="auto">
      {parts.map(({ text, match }, place) =>
        match ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
      )}
    </span>
  )
}
