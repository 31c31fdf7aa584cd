// The buttons in the notices of a fork: the session that it comes from, and the text that its agent gets.
import { useState } from 'react'
import type { NoticeItem } from '@quayside/protocol'
import { Link, sessionPath } from '../../shared/route.js'
import { forkWords } from './fork-words.js'
import { inOwnScript } from '../../shared/controls/trouble.js'

const words = forkWords

const PrimerDialog = inOwnScript(async () => (await import('./primer-dialog.js')).PrimerDialog)

export function OpenOther({ item }: { readonly item: NoticeItem }) {
  const id = item.details?.['sessionId']
  if (typeof id !== 'string') return null
  return (
    <Link className="quiet-button strong" href={sessionPath(id)}>
      {words.openOther}
    </Link>
  )
}

export function ShowPrimer() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="quiet-button strong" onClick={() => setOpen(true)}>
        {words.showPrimer}
      </button>
      {isOpen && <PrimerDialog onClose={() => setOpen(false)} />}
    </>
  )
}
