// The button that adds an agent of one's own; the form is loaded when it is pressed.
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'

const OwnAgentDialog = lazy(async () => ({
  default: (await import('./own-agent-dialog.js')).OwnAgentDialog,
}))

export function AddOwnAgent() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="plus" size={14} />
        {strings.ownAgent.add}
      </button>
      {isOpen && (
        <Suspense>
          <OwnAgentDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
