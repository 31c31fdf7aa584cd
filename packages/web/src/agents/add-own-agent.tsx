// The button that adds a custom agent. The form is loaded when the button is pressed.
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
