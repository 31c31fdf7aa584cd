// Opens, navigates and closes the suggestions while a person types.
import type { AvailableCommand } from '@quayside/protocol'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Draft } from '../drafts/draft.js'
import {
  commandsFor,
  triggerAt,
  useFiles,
  withChoice,
  withSign,
  type Suggestion,
  type SuggestionPlace,
} from './use-suggestions.js'

type MenuOptions = {
  readonly draft: Draft
  readonly place: SuggestionPlace
  readonly commands: readonly AvailableCommand[]
  readonly placeCaret: (at: number) => void
}

export type SuggestionMenuState = ReturnType<typeof useSuggestionMenu>

export function useSuggestionMenu({ draft, place, commands, placeCaret }: MenuOptions) {
  const [caret, setCaret] = useState<number>()
  const [current, setCurrent] = useState(0)
  const trigger = caret === undefined ? undefined : triggerAt(draft.text.get(), caret)
  const files = useFiles(place, trigger?.sign === '@' ? trigger.query : undefined)
  const suggestions = trigger?.sign === '/' ? commandsFor(commands, trigger.query) : files
  const { length: count } = suggestions ?? []
  const index = Math.min(current, Math.max(count - 1, 0))
  const isOpen = trigger !== undefined && count > 0

  function write(text: string, at: number | undefined) {
    draft.write(text)
    setCaret(at)
    setCurrent(0)
  }

  function choose({ value }: Suggestion) {
    if (trigger?.sign === '@') draft.addFile(value)
    const { text, caret } = withChoice(draft.text.get(), trigger, value)
    // Drawn at once: a caret that is placed later would move under a person who types on.
    flushSync(() => write(text, undefined))
    placeCaret(caret)
  }

  /** Called by a button; has the effect of typing the character. */
  function begin(sign: '@' | '/') {
    const { text, caret } = withSign(draft.text.get(), sign)
    write(text, caret)
    // After the button's menu has closed.
    requestAnimationFrame(() => placeCaret(caret))
  }

  /** Returns true when the key was handled. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const suggestion = isOpen ? suggestions?.[index] : undefined
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? count - 1 : 0
    const isChosen = event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)
    if (trigger !== undefined && event.key === 'Escape') setCaret(undefined)
    else if (suggestion && step > 0) setCurrent((index + step) % count)
    else if (suggestion && isChosen) choose(suggestion)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    trigger,
    suggestions,
    current: index,
    isOpen,
    write,
    choose,
    begin,
    onKeyDown,
    close: () => setCaret(undefined),
    /** An open list follows the caret; moving the caret does not open a list. */
    moveCaret: (at: number) => setCaret((before) => (before === undefined ? undefined : at)),
  }
}
