// The field that renames a session. Enter and blur save; Escape and an empty name do not.
import { useRef, useState } from 'react'
import { strings } from '../strings/strings.js'

type RenameFieldProps = {
  readonly title: string
  /** Called without a name when the old one stays. */
  readonly onDone: (name?: string) => void
}

const MAX_CHARACTERS = 200

export function RenameField({ title, onDone }: RenameFieldProps) {
  const [name, setName] = useState(title)
  // Removing the field causes another blur.
  const isDone = useRef(false)
  const changed = name.trim() === '' || name.trim() === title ? undefined : name.trim()

  function finish(kept: string | undefined) {
    if (isDone.current) return
    isDone.current = true
    onDone(kept)
  }

  return (
    <input
      className="field rename"
      aria-label={strings.menu.newName}
      value={name}
      maxLength={MAX_CHARACTERS}
      dir="auto"
      ref={selectAll}
      onChange={({ target }) => setName(target.value)}
      onBlur={() => finish(changed)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        finish(event.key === 'Enter' ? changed : undefined)
      }}
    />
  )
}

function selectAll(element: HTMLInputElement | null) {
  element?.select()
}
