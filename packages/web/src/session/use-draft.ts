// What was written but not sent, kept for each session in this browser.
import { useEffect, useState } from 'react'
import type { Dispatch, SetStateAction } from 'react'

export function useDraft(key: string): [string, Dispatch<SetStateAction<string>>] {
  const name = `quayside.draft.${key}`
  const [draft, setDraft] = useState(() => localStorage.getItem(name) ?? '')

  useEffect(() => {
    if (draft === '') localStorage.removeItem(name)
    else localStorage.setItem(name, draft)
  }, [name, draft])

  return [draft, setDraft]
}
