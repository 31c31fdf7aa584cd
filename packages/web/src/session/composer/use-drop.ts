// Files that are dropped on the composer or pasted into it.
import { useState } from 'react'
import type { ClipboardEvent, DragEvent } from 'react'

export function useDrop(add: (files: Iterable<File>) => void) {
  const [isOver, setOver] = useState(false)

  function onPaste(event: ClipboardEvent) {
    const { files } = event.clipboardData
    if (files.length === 0) return
    event.preventDefault()
    add([...files])
  }

  const handlers = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave() {
      setOver(false)
    },
    onDrop(event: DragEvent) {
      setOver(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      add([...event.dataTransfer.files])
    },
  }

  return { isOver, handlers, onPaste }
}
