// The messages that wait for their turn: they can be changed, moved, sent at once or taken back.
import type { AgentSession } from '@quayside/client'
import { asPlainText, type ContentBlock, type QueuedTurn } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useMay } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { strings } from '../strings.js'

const words = strings.session

type QueueDockProps = {
  readonly queue: readonly QueuedTurn[]
  /** Nothing of it starts by itself. */
  readonly isPaused: boolean
  readonly session: AgentSession
  /** Runs a command and says when it fails. */
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
        {queue.map((turn, place) =>
          editing === turn.turnId ? (
            <Editor
              key={turn.turnId}
              turn={turn}
              onClose={() => {
                setEditing(undefined)
                setEdited(turn.turnId)
              }}
              onSave={(blocks) => attempt(session.queue.edit(turn.turnId, blocks))}
            />
          ) : (
            <li key={turn.turnId} className="queue-row">
              <span className="queue-text" dir="auto">
                {asPlainText(textOf(turn.prompt))}
              </span>
              {mayWrite && (
                <RowActions
                  turn={turn}
                  above={queue[place - 1]}
                  session={session}
                  attempt={attempt}
                  isEdited={edited === turn.turnId}
                  onEdit={() => setEditing(turn.turnId)}
                />
              )}
            </li>
          ),
        )}
      </ol>
    </section>
  )
}

type RowActionsProps = Pick<QueueDockProps, 'session' | 'attempt'> & {
  readonly turn: QueuedTurn
  /** The turn it may be moved before. */
  readonly above: QueuedTurn | undefined
  /** Whoever has changed it goes on from there. */
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

/** Of long texts and files only the beginning is here: whoever changed that would send nothing more. */
function isShownWhole([first]: readonly ContentBlock[]): boolean {
  return first?.['_meta']?.['quayside'] === undefined
}

type EditorProps = {
  readonly turn: QueuedTurn
  readonly onClose: () => void
  readonly onSave: (blocks: readonly ContentBlock[]) => void
}

/** Changes the text; what was attached stays. */
function Editor({ turn, onClose, onSave }: EditorProps) {
  const [text, setText] = useState(() => textOf(turn.prompt))

  function save(event: FormEvent) {
    event.preventDefault()
    const others = turn.prompt.filter(({ type }) => type !== 'text')
    if (text.trim() !== '') onSave([{ type: 'text', text }, ...others])
    onClose()
  }

  return (
    <li>
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
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') {
              event.stopPropagation()
              onClose()
            }
            if (event.key === 'Enter' && !event.shiftKey) save(event)
          }}
        />
        <button className="button">{strings.common.save}</button>
        <button type="button" className="quiet-button" onClick={onClose}>
          {strings.common.cancel}
        </button>
      </form>
    </li>
  )
}

function textOf(prompt: readonly ContentBlock[]): string {
  return prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
