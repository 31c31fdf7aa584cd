// The field for messages to an agent. Enter sends with a keyboard; on a touch screen, only the button sends.
import { usePreferences } from '../shared/preferences.js'
import type { AvailableCommand } from '@quayside/protocol'
import { useId, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent, ReactNode, RefObject } from 'react'
import { inOwnScript } from '../shared/controls/trouble.js'
import { hasKeyboard, useLateFocus } from '../shared/page-focus.js'
import { isSignedOut, problemOf } from '../shared/problem.js'
import { strings } from '../strings/strings.js'
import { AddMenu } from './add-menu.js'
import { Attachments } from './attachments.js'
import { CommentChips } from './comment-chips.js'
import { draftOf, type Send, useDraft } from '../drafts/draft.js'
import { PastedChips } from './pasted-chips.js'
import { SendButtons } from './send-buttons.js'
import { NotSentYet } from './not-sent-yet.js'
import { SuggestionMenu } from './suggestion-menu.js'
import { useDrop } from './use-drop.js'
import { usePictures } from './use-pictures.js'
import { useSuggestionMenu } from './use-suggestion-menu.js'

const DictationButton = inOwnScript(
  async () => (await import('./dictation-button.js')).DictationButton,
)

const words = strings.session

type ComposerProps = {
  readonly draftKey: string
  readonly placeholder: string
  readonly hint: string
  readonly isDisabled?: boolean
  /** Rejects when the message was not accepted; the field then shows it again. */
  readonly onSend: Send
  /** Mod+Enter: stops the running turn and sends this message first. */
  readonly onSendNow?: Send | undefined
  /** Present while a turn can be stopped. */
  readonly onStop?: (() => void) | undefined
  readonly isStopping?: boolean
  /** Called by Enter in an empty field. */
  readonly onEmpty?: (() => void) | undefined
  /** The repository whose files are suggested, or the session in it. */
  readonly repoId?: string | undefined
  readonly sessionId?: string
  readonly commands?: readonly AvailableCommand[]
  /** The reason why pictures cannot be attached. */
  readonly noPictures?: string | undefined
  /** Earlier messages, newest first. */
  readonly sent?: (() => readonly string[]) | undefined
  /** Extra controls: beside the add button, and beside the send button. */
  readonly children?: ReactNode
  readonly aside?: ReactNode
}

const NO_COMMANDS: readonly AvailableCommand[] = []

export function Composer(props: ComposerProps) {
  const { draftKey, placeholder, hint, isDisabled = false, commands = NO_COMMANDS, repoId } = props
  const { enterStartsLine } = usePreferences()
  const draft = draftOf(draftKey)
  const { text, attachments, isEmpty } = useDraft(draft)
  const [problem, setProblem] = useState<ReactNode>()
  const field = useRef<HTMLTextAreaElement>(null)
  useLateFocus(field)
  const list = useId()
  const pictures = usePictures(draft, props.noPictures)
  const drop = useDrop(pictures.add, draft)
  const placeCaret = (at: number) => focusAt(field, at)
  const menu = useSuggestionMenu({ draft, place: props, commands, placeCaret })
  const canSend = !isEmpty && !isDisabled && pictures.canSend

  function send(how: Send) {
    if (!canSend) return
    setProblem(undefined)
    menu.close()
    draft.sendWith(how).catch((error: unknown) => setProblem(notSent(error)))
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes text, every key belongs to it.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || menu.onKeyDown(event)) return
    const isModified = event.metaKey || event.ctrlKey
    const recalled = recall(event, props.sent ?? noHistory)
    const isEnter = isSending(event, isModified || !enterStartsLine)
    if (recalled === undefined && !isEnter) return
    event.preventDefault()
    if (recalled !== undefined) draft.write(recalled)
    // A key that is held down repeats its first meaning; it must not send the next message.
    else if (isEmpty && !event.repeat) props.onEmpty?.()
    else if (!event.repeat)
      send(isModified && !enterStartsLine ? (props.onSendNow ?? props.onSend) : props.onSend)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send(props.onSend)
  }

  return (
    <form className="composer" data-testid="composer" onSubmit={submit} {...drop.handlers}>
      {menu.trigger && repoId && <SuggestionMenu id={list} menu={menu} sign={menu.trigger.sign} />}
      <NotSentYet draft={draft} />
      <div className="composer-box" data-dropping={drop.isOver || undefined}>
        <CommentChips draft={draft} />
        <PastedChips draft={draft} />
        <Attachments attachments={attachments} onRemove={pictures.remove} />
        <textarea
          ref={field}
          className="composer-text"
          data-testid="composer-input"
          aria-label={words.message}
          aria-autocomplete="list"
          aria-controls={menu.isOpen ? list : undefined}
          aria-activedescendant={menu.isOpen ? `${list}-${menu.current}` : undefined}
          placeholder={drop.isOver ? (props.noPictures ?? words.dropHere) : placeholder}
          rows={2}
          dir="auto"
          enterKeyHint="enter"
          value={text}
          onChange={({ target }) => menu.write(target.value, target.selectionStart)}
          onSelect={({ currentTarget }) => menu.moveCaret(currentTarget.selectionStart)}
          onBlur={menu.close}
          onKeyDown={onKeyDown}
          onPaste={drop.onPaste}
        />
        <div className="composer-bar">
          <AddMenu
            noPictures={props.noPictures}
            onPictures={pictures.add}
            onSign={repoId === undefined ? undefined : menu.begin}
          />
          <DictationButton draft={draft} />
          {props.children}
          <span className="spacer" />
          {props.aside}
          <SendButtons canSend={canSend} onStop={props.onStop} isStopping={props.isStopping} />
        </div>
      </div>
      <p className="composer-problem problem" role="alert">
        {problem ?? pictures.problem}
      </p>
      <p className="composer-hint">{hint}</p>
    </form>
  )
}

function notSent(error: unknown): ReactNode {
  const text = words.notSent(problemOf(error))
  if (!isSignedOut(error)) return text
  // A new load shows the sign-in page. The draft stays in this browser.
  return (
    <>
      {text} <a href={location.pathname}>{strings.signIn.action}</a>
    </>
  )
}

function noHistory(): readonly string[] {
  return []
}

/** The arrow keys go through earlier messages while the field shows one of them unchanged. */
function recall(
  { key, target, shiftKey, metaKey, ctrlKey, altKey }: KeyboardEvent,
  history: () => readonly string[],
): string | undefined {
  const isModified = shiftKey || metaKey || ctrlKey || altKey
  if (!(target instanceof HTMLTextAreaElement) || isModified) return undefined
  const { value, selectionStart, selectionEnd } = target
  if (key === 'ArrowUp' && !value.slice(0, selectionStart).includes('\n')) {
    const sent = history()
    const index = sent.indexOf(value)
    return value === '' || index >= 0 ? sent[index + 1] : undefined
  }
  if (key !== 'ArrowDown' || value === '' || value.slice(selectionEnd).includes('\n'))
    return undefined
  const sent = history()
  const index = sent.indexOf(value)
  return index === 0 ? '' : sent[index - 1]
}

function focusAt(field: RefObject<HTMLTextAreaElement | null>, caret: number): void {
  field.current?.focus()
  field.current?.setSelectionRange(caret, caret)
}

/** On a touch screen Enter starts a new line, because there is no Shift+Enter. */
function isSending({ key, shiftKey, metaKey, ctrlKey }: KeyboardEvent, isMeant: boolean): boolean {
  return key === 'Enter' && !shiftKey && isMeant && (metaKey || ctrlKey || hasKeyboard())
}
