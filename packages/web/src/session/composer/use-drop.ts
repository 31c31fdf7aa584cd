// What is dropped on the composer or pasted into it, where it is more than a few words.
import { useState } from 'react'
import type { ClipboardEvent, DragEvent } from 'react'
import type { Draft } from './draft.js'
import { isLongPaste } from './pasted-texts.js'
import { newId } from '../../shared/new-id.js'

export function useDrop(add: (files: Iterable<File>) => void, draft: Draft) {
  const [isOver, setOver] = useState(false)

  function onPaste(event: ClipboardEvent) {
    const { files } = event.clipboardData
    const text = event.clipboardData.getData('text/plain')
    if (files.length === 0 && !isLongPaste(text)) return
    event.preventDefault()
    if (files.length > 0) add([...files])
    else draft.setPasted([...draft.pasted.get(), { id: newId(), text }])
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
