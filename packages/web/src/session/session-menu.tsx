// What can be done with a whole session: name, pin, archive, export, end, delete.
import type { AgentSession, SessionChange } from '@quayside/client'
import type { SessionView } from '@quayside/client/react'
import { DropdownMenu } from 'radix-ui'
import { useRef, useState } from 'react'
import { useHub } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { navigate } from '../shared/route.js'
import { SessionIcon } from './session-icon.js'
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
  const { lists } = useHub()
  const [marks, setMarks] = useState({
    pinned: session.info.pinned,
    archived: session.info.archived,
  })
  const [problem, setProblem] = useState<string>()
  const dialog = useRef<HTMLDialogElement>(null)
  const path = `/api/sessions/${encodeURIComponent(session.id)}`

  async function attempt(action: () => Promise<unknown>) {
    setProblem(undefined)
    try {
      await action()
      void lists.refreshSessions()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  function mark(change: SessionChange) {
    void attempt(async () => setMarks(await session.change(change)))
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
          <SessionIcon name="more" size={18} />
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
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => mark({ pinned: !marks.pinned })}
            >
              <SessionIcon name="pin" />
              {marks.pinned ? words.unpin : words.pin}
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => mark({ archived: !marks.archived })}
            >
              <SessionIcon name="archive" />
              {marks.archived ? words.unarchive : words.archive}
            </DropdownMenu.Item>
            <DropdownMenu.Separator className="menu-line" />
            {FORMATS.map(({ format, name }) => (
              <DropdownMenu.Item key={format} className="menu-item" asChild>
                <a href={`${path}/transcript?format=${format}`} download>
                  <SessionIcon name="download" />
                  {words.exportAs(name)}
                </a>
              </DropdownMenu.Item>
            ))}
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
      <dialog ref={dialog} className="dialog" aria-labelledby="delete-title">
        <h2 id="delete-title">{words.removeTitle(view.title ?? words.newSession)}</h2>
        <p>{words.removeText}</p>
        <div className="dialog-buttons">
          <button
            type="button"
            className="button"
            autoFocus
            onClick={() => dialog.current?.close()}
          >
            {words.keep}
          </button>
          <button
            type="button"
            className="button danger"
            onClick={() => {
              dialog.current?.close()
              void attempt(async () => {
                await session.delete({ purge: true })
                navigate('/')
              })
            }}
          >
            {words.removeNow}
          </button>
        </div>
      </dialog>
    </>
  )
}
