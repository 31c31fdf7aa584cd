// Copies a text and confirms it for a moment: a button with a label, or an icon.
import { useEffect, useState } from 'react'
import { strings } from '../../strings/strings.js'
import { Icon, type IconName } from './icon.js'

type CopyButtonProps = {
  readonly text: string
  /** The label for screen readers, when the text is not beside the button. */
  readonly label?: string
  /** The label of the button instead of "Copy". */
  readonly children?: string
  readonly className?: string
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, children = strings.common.copy, className = 'button' } = props
  const { isCopied, copyIt } = useCopy(text)
  return (
    <button type="button" className={className} aria-label={label} onClick={copyIt}>
      <span aria-live="polite">{isCopied ? strings.common.copied : children}</span>
    </button>
  )
}

type CopyIconProps = {
  /** The text, or a function that returns it. */
  readonly text: string | (() => string)
  readonly label: string
  readonly icon?: IconName
}

export function CopyIcon({ text, label, icon = 'copy' }: CopyIconProps) {
  const { isCopied, copyIt } = useCopy(text)
  return (
    <button type="button" className="copy" aria-label={label} title={label} onClick={copyIt}>
      <Icon name={isCopied ? 'check' : icon} size={14} />
      <span className="visually-hidden" role="status">
        {isCopied ? strings.common.copied : ''}
      </span>
    </button>
  )
}

const SAID_MS = 2_000

function useCopy(text: string | (() => string)) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  return {
    isCopied,
    copyIt: () => void copy(typeof text === 'string' ? text : text()).then(setCopied),
  }
}

/** Resolves with false when it failed. Without HTTPS there is no clipboard API, only `execCommand`. */
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
