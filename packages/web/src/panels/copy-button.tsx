// Copies a text and says so for a moment. Browsers have no clipboard for pages that came over an insecure network.
import { useEffect, useState } from 'react'
import { words } from './strings.js'

const SAID_MS = 2_000

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  if (!isSecureContext) return null
  return (
    <button
      className="panel-action"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span role="status">{isCopied ? words.copied : label}</span>
    </button>
  )
}
