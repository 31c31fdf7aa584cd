// Copies a text, and says so where the button is.
import { useEffect, useState } from 'react'
import { strings } from '../strings.js'

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])

  return (
    <button
      type="button"
      className="button"
      aria-label={label}
      onClick={() => void copy(text).then(setCopied)}
    >
      <span aria-live="polite">{isCopied ? strings.common.copied : strings.common.copy}</span>
    </button>
  )
}

/** Says whether it worked. Without HTTPS there is no clipboard to ask, only the old way. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}
