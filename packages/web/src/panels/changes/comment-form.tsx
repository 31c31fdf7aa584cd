// The form for a comment on lines. The comment is sent with the next message.
import { useRef, useState, type KeyboardEvent } from 'react'
import { restoreFocus, useLeavingFocus } from '../../shared/page-focus.js'
import { strings } from '../../strings/strings.js'

const words = strings.review

type CommentFormProps = {
  /** For example `src/a.ts:42-48`. */
  readonly location: string
  readonly onAdd: (text: string) => void
  readonly onCancel: () => void
}

export function CommentForm({ location, onAdd, onCancel }: CommentFormProps) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const form = useRef<HTMLFormElement>(null)
  // The keys of the review continue to work.
  useLeavingFocus(form, () => restoreFocus(reviewList))

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      // Escape closes the form, not the panel around it.
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !isEmpty) {
      event.preventDefault()
      onAdd(text.trim())
    }
  }

  return (
    <form
      ref={form}
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) onAdd(text.trim())
      }}
    >
      <textarea
        aria-label={words.commentOn(location)}
        placeholder={words.commentHint}
        rows={3}
        dir="auto"
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="comment-buttons">
        <span className="comment-place" dir="ltr">
          {location}
        </span>
        <button type="button" className="button" onClick={onCancel}>
          {strings.common.cancel}
        </button>
        <button type="submit" className="button primary" disabled={isEmpty}>
          {words.addComment}
        </button>
      </div>
    </form>
  )
}

function reviewList(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.review .patch')
}
