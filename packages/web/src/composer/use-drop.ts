// Handles drops and pastes of files and long texts in the composer.
import { useState } from 'react'
import type { ClipboardEvent, DragEvent } from 'react'
import type { Draft } from '../drafts/draft.js'
import { isLongPaste } from '../drafts/pasted-texts.js'
import { newId } from '../shared/new-id.js'

export function useDrop(add: (files: Iterable<File>) => void, draft: Draft) {
  const [isOver, setOver] = useState(false)

  function onPaste(event: ClipboardEvent) {
    const { files, types } = event.clipboardData
    const text = event.clipboardData.getData('text/plain')
    // Office programs copy a picture beside the text; a copied file comes with its bare name.
    const isText = text !== '' && types.includes('text/html')
    const hasPictures = files.length > 0 && !isText
    if (!hasPictures && !isLongPaste(text)) return
    event.preventDefault()
    if (hasPictures) add([...files])
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
