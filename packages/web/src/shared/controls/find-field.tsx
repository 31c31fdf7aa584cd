// A search field with the number of matches, and buttons for the next and previous one.
import type { KeyboardEvent, RefObject } from 'react'
import { strings } from '../../strings/strings.js'
import { Icon } from './icon.js'

const words = strings.session

type FindFieldProps = {
  readonly label: string
  readonly value: string
  /** The number of matches as a text. */
  readonly found: string
  readonly field?: RefObject<HTMLInputElement | null>
  /** Enter goes to the previous match, as in a conversation that is read from its end. */
  readonly isUpward?: boolean
  readonly onChange: (value: string) => void
  readonly onGo: (step: 1 | -1) => void
  readonly onClose: () => void
}

export function FindField(props: FindFieldProps) {
  const { label, value, found, field, isUpward = false, onChange, onGo, onClose } = props

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onGo(event.shiftKey === isUpward ? 1 : -1)
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
  }

  return (
    <div className="find" role="search" onKeyDown={onKeyDown}>
      <input
        ref={field}
        className="find-field"
        aria-label={label}
        placeholder={label}
        value={value}
        autoFocus
        onChange={({ target }) => onChange(target.value)}
      />
      <span className="find-count" role="status">
        {found}
      </span>
      <button
        type="button"
        className="mini"
        aria-label={words.findPrevious}
        onClick={() => onGo(-1)}
      >
        <Icon name="arrowUp" size={14} />
      </button>
      <button type="button" className="mini" aria-label={words.findNext} onClick={() => onGo(1)}>
        <Icon name="down" size={14} />
      </button>
      <button type="button" className="mini" aria-label={strings.common.close} onClick={onClose}>
        <Icon name="cross" size={14} />
      </button>
    </div>
  )
}
