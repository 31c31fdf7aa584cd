// Where a person writes to an agent. Enter sends on a keyboard; on a touch screen the button does.
import type { AvailableCommand, ContentBlock } from '@quayside/protocol'
import { useId, useRef, useState } from 'react'
import type { ClipboardEvent, DragEvent, FormEvent, KeyboardEvent, ReactNode } from 'react'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { useStore } from '../shared/store.js'
import { AddMenu } from './composer/add-menu.js'
import { Attachments } from './composer/attachments.js'
import { draftOf } from './composer/draft.js'
import { SuggestionMenu } from './composer/suggestion-menu.js'
import { usePictures } from './composer/use-pictures.js'
import { useSuggestionMenu } from './composer/use-suggestion-menu.js'
import { words } from './strings.js'

export type ComposerProps = {
  readonly draftKey: string
  readonly placeholder: string
  readonly hint: string
  readonly isDisabled?: boolean
  /** Rejects when it was not accepted; what was written is then put back. */
  readonly onSend: (text: string, blocks: readonly ContentBlock[]) => Promise<void>
  /** Stops what runs and goes first; with Mod and Enter. */
  readonly onSendNow?: ComposerProps['onSend'] | undefined
  /** Given while there is something to stop. */
  readonly onStop?: (() => void) | undefined
  /** Enter when nothing is written. */
  readonly onEmpty?: (() => void) | undefined
  readonly isStopping?: boolean
  /** The repository whose files can be named, and its folder. */
  readonly repo?: { readonly id: string; readonly path: string } | undefined
  readonly commands?: readonly AvailableCommand[]
  /** Why pictures cannot be attached. */
  readonly noPictures?: string | undefined
  /** What was sent before, oldest first. */
  readonly history?: (() => readonly string[]) | undefined
  readonly children?: ReactNode
  readonly aside?: ReactNode
}

const NO_COMMANDS: readonly AvailableCommand[] = []

export function Composer(props: ComposerProps) {
  const { draftKey, placeholder, hint, isDisabled = false, children, aside } = props
  const draft = draftOf(draftKey)
  const text = useStore(draft.text)
  const attachments = useStore(draft.attachments)
  const [problem, setProblem] = useState<string>()
  const [isDropping, setDropping] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const pictures = usePictures(draft, props.noPictures)
  const menu = useSuggestionMenu({
    draft,
    field,
    repoId: props.repo?.id,
    commands: props.commands ?? NO_COMMANDS,
  })
  const isUploading = attachments.some(({ url }) => url === undefined)
  const isEmpty = text.trim() === '' && attachments.length === 0
  const canSend = !isEmpty && !isDisabled && !isUploading

  function send(how: ComposerProps['onSend']) {
    if (!canSend) return
    setProblem(undefined)
    menu.close()
    draft
      .sendWith(how, props.repo?.path)
      .catch((error: unknown) => setProblem(words.notSent(problemOf(error))))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send(props.onSend)
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, every key belongs to it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (menu.onKeyDown(event)) return
    const isModified = event.metaKey || event.ctrlKey
    if (event.key === 'ArrowUp' && text === '') return recall(event)
    if (event.key !== 'Enter' || event.shiftKey) return
    if (matchMedia('(pointer: coarse)').matches && !isModified) return
    event.preventDefault()
    if (isEmpty) props.onEmpty?.()
    else send(isModified && props.onSendNow ? props.onSendNow : props.onSend)
  }

  function recall(event: KeyboardEvent) {
    const last = props.history?.().at(-1)
    if (last === undefined) return
    event.preventDefault()
    draft.write(last)
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    pictures.add(files)
  }

  function onDrop(event: DragEvent) {
    setDropping(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    pictures.add(event.dataTransfer.files)
  }

  return (
    <form
      className="composer"
      data-testid="composer"
      onSubmit={submit}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={onDrop}
    >
      {menu.trigger && (
        <SuggestionMenu
          id={listId}
          sign={menu.trigger.sign}
          suggestions={menu.suggestions}
          current={menu.current}
          onChoose={menu.choose}
        />
      )}
      <div className="composer-box" data-dropping={isDropping || undefined}>
        <Attachments attachments={attachments} onRemove={pictures.remove} />
        <textarea
          className="composer-text"
          data-testid="composer-input"
          aria-label={words.message}
          aria-autocomplete="list"
          aria-controls={menu.isOpen ? listId : undefined}
          aria-activedescendant={menu.isOpen ? `${listId}-${menu.current}` : undefined}
          placeholder={isDropping ? (props.noPictures ?? words.dropHere) : placeholder}
          rows={2}
          dir="auto"
          enterKeyHint="enter"
          value={text}
          onChange={({ target }) => menu.onWrite(target.value, target.selectionStart)}
          onSelect={({ currentTarget }) => menu.onCaret(currentTarget.selectionStart)}
          onBlur={menu.close}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          ref={(element) => {
            field.current = element
          }}
          autoFocus={matchMedia('(pointer: fine)').matches}
        />
        <div className="composer-bar">
          <AddMenu
            noPictures={props.noPictures}
            onPictures={pictures.add}
            onSign={props.repo ? menu.begin : undefined}
          />
          {children}
          <span className="spacer" />
          {aside}
          {props.onStop && (
            <button
              type="button"
              className="stop"
              data-testid="stop"
              aria-label={words.stop}
              title={words.stop}
              disabled={props.isStopping}
              onClick={props.onStop}
            >
              <Icon name={props.isStopping ? 'spinner' : 'stop'} />
            </button>
          )}
          <button
            className="send"
            data-testid="send"
            aria-label={words.send}
            title={words.send}
            disabled={!canSend}
          >
            <Icon name="arrowUp" />
          </button>
        </div>
      </div>
      <p className="composer-problem problem" role="alert">
        {problem ?? pictures.problem}
      </p>
      <p className="composer-hint">{hint}</p>
    </form>
  )
}
