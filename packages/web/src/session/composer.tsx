// Where a person writes to an agent. Enter sends on a keyboard; on a touch screen the button does.
import { useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { useDraft } from './use-draft.js'

type ComposerProps = {
  readonly draftKey: string
  readonly placeholder: string
  readonly hint: string
  readonly isDisabled?: boolean
  /** Rejects when the text was not accepted; it is then put back. */
  readonly onSend: (text: string) => Promise<void>
  /** Given while there is something to stop. */
  readonly onStop?: (() => void) | undefined
  readonly children?: ReactNode
}

export function Composer(props: ComposerProps) {
  const { draftKey, placeholder, hint, isDisabled = false, onSend, onStop, children } = props
  const [draft, setDraft] = useDraft(draftKey)
  const [problem, setProblem] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const isEmpty = draft.trim() === ''

  function send(event: FormEvent) {
    event.preventDefault()
    if (isEmpty || isDisabled) return
    setDraft('')
    setProblem(undefined)
    onSend(draft).catch((error: unknown) => {
      setDraft((written) => (written === '' ? draft : written))
      setProblem(`Not sent. ${problemOf(error)}`)
    })
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (matchMedia('(pointer: coarse)').matches && !event.metaKey && !event.ctrlKey) return
    event.preventDefault()
    form.current?.requestSubmit()
  }

  return (
    <form ref={form} className="composer" onSubmit={send}>
      <div className="composer-box">
        <textarea
          className="composer-text"
          aria-label="Message to the agent"
          placeholder={placeholder}
          rows={2}
          dir="auto"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          ref={focusWithoutKeyboard}
        />
        <div className="composer-bar">
          {children}
          <span className="spacer" />
          {onStop && (
            <button type="button" className="stop" aria-label="Stop" onClick={onStop}>
              <Icon name="stop" />
            </button>
          )}
          <button className="send" aria-label="Send" disabled={isEmpty || isDisabled}>
            <Icon name="arrowUp" />
          </button>
        </div>
      </div>
      <p className="composer-problem problem" role="alert">
        {problem}
      </p>
      <p className="composer-hint">{hint}</p>
    </form>
  )
}

/** On a phone the focus would open the keyboard over what is to be read. */
function focusWithoutKeyboard(element: HTMLTextAreaElement | null) {
  if (element && matchMedia('(pointer: fine)').matches) element.focus({ preventScroll: true })
}
