// Pictures for a prompt: checked when they are pasted, dropped or chosen, and uploaded immediately.
import { useHub } from '@quayside/client/react'
import { useState } from 'react'
import { problemOf } from '../shared/problem.js'
import { strings } from '../strings/strings.js'
import type { Draft } from '../drafts/draft.js'
import { newId } from '../shared/new-id.js'
import { useStore } from '../shared/store.js'

const words = strings.session

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const MAX_BYTES = 10 * 1024 * 1024

export function usePictures(draft: Draft, refusal: string | undefined) {
  const client = useHub()
  const attachments = useStore(draft.attachments)
  const [problem, setProblem] = useState<string>()
  // Pictures may have been attached for another agent, or before this one reported its capabilities.
  const isRefused = refusal !== undefined && attachments.length > 0

  async function upload(file: File) {
    const id = newId()
    const { name, type: mimeType } = file
    const picture = { id, name, mimeType, preview: URL.createObjectURL(file), url: undefined }
    draft.setAttachments([...draft.attachments.get(), picture])
    try {
      const { url } = await client.upload(file)
      const uploaded = draft.attachments.get().map((one) => (one.id === id ? { ...one, url } : one))
      draft.setAttachments(uploaded)
    } catch (error) {
      remove(id)
      setProblem(problemOf(error))
    }
  }

  function add(files: Iterable<File>) {
    setProblem(undefined)
    for (const file of files) {
      const wrong = refusal ?? whatIsWrong(file)
      if (wrong === undefined) void upload(file)
      else setProblem(wrong)
    }
  }

  function remove(id: string) {
    const removed = draft.attachments.get().find((one) => one.id === id)
    if (removed) URL.revokeObjectURL(removed.preview)
    draft.setAttachments(draft.attachments.get().filter((one) => one.id !== id))
  }

  return {
    add,
    remove,
    problem: isRefused ? `${refusal} ${words.removePictures}` : problem,
    canSend: !isRefused && attachments.every(({ url }) => url !== undefined),
  }
}

function whatIsWrong({ type, size }: File): string | undefined {
  if (!PICTURE_TYPES.includes(type)) return words.onlyPictures
  return size > MAX_BYTES ? words.tooLarge : undefined
}
