// Edits a message that was sent, and sends it again in a fork that begins before it.
import type { UserItem } from '@quayside/protocol'
import { useState } from 'react'
import { Dialog } from '../../shared/controls/dialog.js'
import { useSessionContext } from '../context/session-context.js'
import { useFork } from './use-fork.js'
import { forkWords } from './fork-words.js'

const words = forkWords

type EditAgainProps = { readonly item: UserItem; readonly onClose: () => void }

export function EditAgain({ item, onClose }: EditAgainProps) {
  const { sessionId, compose } = useSessionContext()
  const [problem, setProblem] = useState<string>()
  const { isForking, fork } = useFork(sessionId, setProblem)
  const [text, setText] = useState(item.text)
  const attached = item.blocks.filter(({ type }) => type !== 'text')
  const { turnId } = item

  function send() {
    const said = text.trim() === '' ? [] : [{ type: 'text', text } as const]
    setProblem(undefined)
    fork({ turnId, before: true, prompt: [...said, ...attached] })
  }

  return (
    <Dialog title={words.editAgain} className="wide" onClose={onClose}>
      <textarea
        className="field"
        autoFocus
        aria-label={words.message}
        rows={8}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="muted">{words.aboutEditing}</p>
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        {compose && (
          <button
            type="button"
            className="button"
            onClick={() => {
              compose(text)
              onClose()
            }}
          >
            {words.asNewMessage}
          </button>
        )}
        <button
          type="button"
          className="button primary"
          disabled={isForking || (text.trim() === '' && attached.length === 0)}
          onClick={send}
        >
          {isForking ? words.forking : words.sendInFork}
        </button>
      </div>
    </Dialog>
  )
}
