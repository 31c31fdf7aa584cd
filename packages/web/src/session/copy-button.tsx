// Copies a text and says that it did.
import { useEffect, useState } from 'react'
import { Icon } from '../shared/icon.js'
import { SessionIcon } from './session-icon.js'
import { words } from './strings.js'

const SAID_MS = 1_500

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  return (
    <button
      type="button"
      className="copy"
      aria-label={label}
      title={label}
      onClick={() => void copy(text).then(setCopied)}
    >
      {isCopied ? <Icon name="check" size={14} /> : <SessionIcon name="copy" size={14} />}
      <span className="visually-hidden" role="status">
        {isCopied ? words.copied : ''}
      </span>
    </button>
  )
}

/** False when it could not be copied. Plain http beyond this machine has no clipboard, so there is an older way. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
