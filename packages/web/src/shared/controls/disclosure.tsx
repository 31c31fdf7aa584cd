// A row that folds and unfolds. It follows `isOpen` until the person toggles it; then their choice stays.
import { useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'

type DisclosureProps = {
  readonly summary: ReactNode
  readonly children: ReactNode
  readonly className?: string
  readonly isOpen?: boolean
}

export function Disclosure({ summary, children, className, isOpen = false }: DisclosureProps) {
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? isOpen

  function toggle(event: MouseEvent) {
    event.preventDefault()
    setChosen(!open)
  }

  return (
    <details className={className} open={open}>
      <summary onClick={toggle}>{summary}</summary>
      {open && children}
    </details>
  )
}
