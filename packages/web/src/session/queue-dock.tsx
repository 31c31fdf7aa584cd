// The queued messages: they can be edited, moved, sent immediately or removed.
import type { AgentSession } from '@quayside/client'
import { asPlainText, type ContentBlock, type QueuedTurn } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { composerField, hasKeyboard, restoreFocus, useLeavingFocus } from '../shared/page-focus.js'
import { strings } from '../strings/strings.js'
import { draftOf } from '../drafts/draft.js'

const words = strings.session

type QueueDockProps = {
  readonly queue: readonly QueuedTurn[]
  /** True while no queued message starts by itself. */
  readonly isPaused: boolean
  readonly session: AgentSession
  /** Runs a command and shows its error. */
  readonly attempt: (action: Promise<unknown>) => void
}

export function QueueDock({ queue, isPaused, session, attempt }: QueueDockProps) {
  const [editing, setEditing] = useState<string>()
  const [edited, setEdited] = useState<string>()
  const mayWrite = useMay('write')
  const [first] = queue
  if (!first) return null
  return (
    <section className="queue" aria-label={words.queue} data-testid="queue">
      <p className="queue-head">
        <Icon name="clock" size={14} />
        <b role="status">
          {isPaused ? words.queuePaused(queue.length) : words.queued(queue.length)}
        </b>
        <span className="spacer" />
        {isPaused && mayWrite && (
          <button
            type="button"
            className="mini"
            onClick={() => attempt(session.queue.sendNow(first.turnId))}
          >
            {words.sendNext}
          </button>
        )}
        {(isPaused || queue.length > 1) && mayWrite && (
          <button type="button" className="mini" onClick={() => attempt(session.queue.clear())}>
            {words.clear}
          </button>
        )}
      </p>
      <ol>
        {queue.map((turn, index) =>
          editing === turn.turnId ? (
            <Editor
              key={turn.turnId}
              turn={turn}
              onClose={() => {
                setEditing(undefined)
                setEdited(turn.turnId)
              }}
              onSave={(blocks) => session.queue.edit(turn.turnId, blocks)}
              attempt={attempt}
              onKeep={(text) => draftOf(session.id).add(text)}
            />
          ) : (
            <QueueRow key={turn.turnId}>
              <span className="queue-text" dir="auto">
                {asPlainText(textOf(turn.prompt))}
              </span>
              {mayWrite && (
                <RowActions
                  turn={turn}
                  above={queue[index - 1]}
                  session={session}
                  attempt={attempt}
                  isEdited={edited === turn.turnId}
                  onEdit={() => setEditing(turn.turnId)}
                />
              )}
            </QueueRow>
          ),
        )}
      </ol>
    </section>
  )
}

/** Returns the focus to the composer when the row disappears. */
function QueueRow({ children }: { readonly children: ReactNode }) {
  const row = useRef<HTMLLIElement>(null)
  useLeavingFocus(row, returnToComposer)
  return (
    <li ref={row} className="queue-row">
      {children}
    </li>
  )
}

function returnToComposer(): void {
  if (hasKeyboard()) restoreFocus(composerField)
}

type RowActionsProps = Pick<QueueDockProps, 'session' | 'attempt'> & {
  readonly turn: QueuedTurn
  /** The turn before it in the queue. */
  readonly above: QueuedTurn | undefined
  /** True after an edit, so that the row takes the focus. */
  readonly isEdited: boolean
  readonly onEdit: () => void
}

function RowActions(props: RowActionsProps) {
  const { turn, above, session, attempt, isEdited, onEdit } = props
  return (
    <>
      {above && (
        <button
          type="button"
          className="mini"
          aria-label={words.moveUp}
          title={words.moveUp}
          onClick={() => attempt(session.queue.move(turn.turnId, above.turnId))}
        >
          <Icon name="arrowUp" size={14} />
        </button>
      )}
      {isShownWhole(turn.prompt) && (
        <button type="button" className="mini" autoFocus={isEdited} onClick={onEdit}>
          {words.edit}
        </button>
      )}
      <button
        type="button"
        className="mini"
        onClick={() => attempt(session.queue.sendNow(turn.turnId))}
      >
        {words.sendNow}
      </button>
      <button
        type="button"
        className="mini"
        aria-label={words.removeFromQueue}
        title={words.removeFromQueue}
        onClick={() => attempt(session.queue.remove(turn.turnId))}
      >
        <Icon name="cross" size={14} />
      </button>
    </>
  )
}

/** Only the beginning of long texts and files is loaded here, so editing them would lose the rest. */
function isShownWhole([first]: readonly ContentBlock[]): boolean {
  return first?.['_meta']?.['quayside'] === undefined
}

type EditorProps = {
  readonly turn: QueuedTurn
  readonly onClose: () => void
  readonly onSave: (blocks: readonly ContentBlock[]) => Promise<unknown>
  readonly attempt: QueueDockProps['attempt']
  /** Receives the text of an edit whose message is gone. */
  readonly onKeep: (text: string) => void
}

/** Edits the text; attachments stay. */
function Editor({ turn, onClose, onSave, attempt, onKeep }: EditorProps) {
  const [text, setText] = useState(() => textOf(turn.prompt))
  const isDone = useRef(false)
  const row = useRef<HTMLLIElement>(null)
  useLeavingFocus(row, returnToComposer)

  const keep = useEffectEvent(() => {
    if (!isDone.current && text !== textOf(turn.prompt)) onKeep(text)
  })
  // The message was sent or removed by another device.
  useEffect(() => () => keep(), [])

  function close() {
    isDone.current = true
    onClose()
  }

  function save(event: FormEvent) {
    event.preventDefault()
    const others = turn.prompt.filter(({ type }) => type !== 'text')
    if (text.trim() !== '') attempt(onSave([{ type: 'text', text }, ...others]).catch(refused))
    close()
  }

  function refused(error: unknown) {
    onKeep(text)
    throw error
  }

  return (
    <li ref={row}>
      <form className="queue-editor" onSubmit={save}>
        <textarea
          className="field"
          aria-label={words.editQueued}
          value={text}
          dir="auto"
          rows={2}
          autoFocus
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.keyCode === 229) return
            if (event.key === 'Escape') {
              event.stopPropagation()
              close()
            }
            if (event.key === 'Enter' && !event.shiftKey) save(event)
          }}
        />
        <button className="button">{strings.common.save}</button>
        <button type="button" className="quiet-button" onClick={close}>
          {strings.common.cancel}
        </button>
      </form>
    </li>
  )
}

function textOf(prompt: readonly ContentBlock[]): string {
  return prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
