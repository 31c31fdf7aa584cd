// A link that saves a text as a file: a text of the page, or media of the hub.
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { strings } from '../../strings/strings.js'

export type Saved = { readonly text: string } | { readonly media: string; readonly bytes: number }

export function sizeOf(saved: Saved): number {
  return 'media' in saved ? saved.bytes : new Blob([saved.text]).size
}

type DownloadProps = {
  readonly of: { readonly text: string } | { readonly media: string }
  readonly className: string
  readonly children: ReactNode
}

export function Download({ of, className, children }: DownloadProps) {
  const [made, setMade] = useState<string>()

  useEffect(() => () => URL.revokeObjectURL(made ?? ''), [made])

  return (
    <a
      className={className}
      download={strings.panels.outputFile}
      href={'media' in of ? of.media : (made ?? '#')}
      onClick={({ currentTarget }) => {
        if ('media' in of) return
        const address = URL.createObjectURL(new Blob([of.text], { type: 'text/plain' }))
        currentTarget.href = address
        setMade(address)
      }}
    >
      {children}
    </a>
  )
}
