// What can be done with a whole session: name, pin, archive, export, end, delete.
import type { AgentSession, SessionChange } from '@quayside/client'
import { useSessions, type SessionView } from '@quayside/client/react'
import { inPlainSight } from '@quayside/protocol'
import { DropdownMenu } from 'radix-ui'
import { useId, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { Icon } from '../shared/icon.js'
import { ALL_SESSIONS } from '../home/session-list.js'
import { problemOf } from '../shared/problem.js'
import { navigate } from '../shared/route.js'
import { words } from './strings.js'

type SessionMenuProps = {
  readonly view: SessionView
  readonly session: AgentSession
  readonly onRename: () => void
}

const FORMATS = [
  { format: 'md', name: 'Markdown' },
  { format: 'html', name: 'HTML' },
  { format: 'jsonl', name: 'JSON lines' },
]

export function SessionMenu({ view, session, onRename }: SessionMenuProps) {
  const [problem, setProblem] = useState<string>()
  const dialog = useRef<HTMLDialogElement>(null)
  const path = `/api/sessions/${encodeURIComponent(session.id)}`

  async function attempt(action: () => Promise<unknown>) {
    setProblem(undefined)
    try {
      await action()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <>
      <p className="problem" role="alert">
        {problem}
      </p>
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
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => requestAnimationFrame(onRename)}
            >
              <Icon name="edit" />
              {words.rename}
            </DropdownMenu.Item>
            <Marks session={session} attempt={attempt} />
            <DropdownMenu.Separator className="menu-line" />
            <Exports path={path} />
            <DropdownMenu.Separator className="menu-line" />
            {view.status === 'active' && (
              <DropdownMenu.Item
                className="menu-item"
                onSelect={() => void attempt(() => session.complete())}
              >
                <Icon name="checkCircle" />
                {words.complete}
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item
              className="menu-item danger"
              onSelect={() => requestAnimationFrame(() => dialog.current?.showModal())}
            >
              <Icon name="trash" />
              {words.remove}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <DeleteDialog
        ref={dialog}
        title={view.title ?? words.newSession}
        onDelete={() =>
          void attempt(async () => {
            await session.delete({ purge: true })
            navigate('/')
          })
        }
      />
    </>
  )
}

type DeleteDialogProps = {
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly title: string
  readonly onDelete: () => void
}

function DeleteDialog({ ref, title, onDelete }: DeleteDialogProps) {
  const titleId = useId()
  return (
    <dialog ref={ref} className="dialog" aria-labelledby={titleId}>
      <h2 id={titleId}>{words.removeTitle(inPlainSight(title))}</h2>
      <p>{words.removeText}</p>
      <form method="dialog" className="dialog-buttons">
        <button className="button" autoFocus>
          {words.keep}
        </button>
        <button className="button danger" onClick={onDelete}>
          {words.removeNow}
        </button>
      </form>
    </dialog>
  )
}

function Exports({ path }: { path: string }) {
  return FORMATS.map(({ format, name }) => (
    <DropdownMenu.Item key={format} className="menu-item" asChild>
      <a href={`${path}/transcript?format=${format}`} download>
        <Icon name="download" />
        {words.exportAs(name)}
      </a>
    </DropdownMenu.Item>
  ))
}

type MarksProps = {
  readonly session: AgentSession
  readonly attempt: (action: () => Promise<unknown>) => Promise<void>
}

function Marks({ session, attempt }: MarksProps) {
  const { sessions } = useSessions(ALL_SESSIONS)
  const { pinned, archived } = sessions.find(({ id }) => id === session.id) ?? session.info
  const mark = (change: SessionChange) => void attempt(() => session.change(change))
  return (
    <>
      <DropdownMenu.Item className="menu-item" onSelect={() => mark({ pinned: !pinned })}>
        <Icon name="pin" />
        {pinned ? words.unpin : words.pin}
      </DropdownMenu.Item>
      <DropdownMenu.Item className="menu-item" onSelect={() => mark({ archived: !archived })}>
        <Icon name="archive" />
        {archived ? words.unarchive : words.archive}
      </DropdownMenu.Item>
    </>
  )
}
