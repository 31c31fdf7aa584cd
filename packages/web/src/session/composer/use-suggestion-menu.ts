// Opens, moves through and closes the list of suggestions while somebody writes.
import type { AvailableCommand } from '@quayside/protocol'
import { useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { Draft } from './draft.js'
import { commandsFor, triggerAt, useFiles, type Suggestion } from './use-suggestions.js'

type MenuOptions = {
  readonly draft: Draft
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly repoId: string | undefined
  readonly commands: readonly AvailableCommand[]
}

export function useSuggestionMenu({ draft, field, repoId, commands }: MenuOptions) {
  const [caret, setCaret] = useState<number>()
  const [current, setCurrent] = useState(0)
  const found = caret === undefined ? undefined : triggerAt(draft.text.get(), caret)
  const trigger = found?.sign === '@' && repoId === undefined ? undefined : found
  const files = useFiles(repoId, trigger?.sign === '@' ? trigger.query : undefined)
  const suggestions = trigger?.sign === '/' ? commandsFor(commands, trigger.query) : files
  const isOpen = trigger !== undefined && suggestions !== undefined && suggestions.length > 0
  const place = Math.min(current, (suggestions?.length ?? 1) - 1)

  function close() {
    setCaret(undefined)
  }

  function onWrite(text: string, at: number) {
    draft.write(text)
    setCaret(at)
    setCurrent(0)
  }

  /** The caret moved: an open list follows it, but moving alone opens none. */
  function onCaret(at: number) {
    setCaret((before) => (before === undefined ? undefined : at))
  }

  function choose({ value }: Suggestion) {
    if (trigger === undefined) return
    if (trigger.sign === '@') draft.files.add(value)
    const text = draft.text.get()
    const rest = text.slice(trigger.start + 1 + trigger.query.length).trimStart()
    const chosen = `${text.slice(0, trigger.start)}${trigger.sign}${value} `
    draft.write(chosen + rest)
    close()
    placeCaret(chosen.length)
  }

  /** From a button: as if the sign had been typed. */
  function begin(sign: '@' | '/') {
    const text = draft.text.get()
    const isSpaced = text === '' || /\s$/.test(text)
    const next = sign === '/' ? `/${text}` : `${text}${isSpaced ? '' : ' '}@`
    const at = sign === '/' ? 1 : next.length
    onWrite(next, at)
    placeCaret(at)
  }

  function placeCaret(at: number) {
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(at, at)
    })
  }

  /** True when the key was for the list. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (trigger === undefined) return false
    const count = suggestions?.length ?? 0
    const suggestion = suggestions?.[place]
    if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown' && isOpen) setCurrent((place + 1) % count)
    else if (event.key === 'ArrowUp' && isOpen) setCurrent((place + count - 1) % count)
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion && !event.shiftKey)
      choose(suggestion)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    trigger,
    suggestions,
    current: place,
    isOpen,
    close,
    onWrite,
    onCaret,
    choose,
    begin,
    onKeyDown,
  }
}
