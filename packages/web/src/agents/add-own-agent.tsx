// The button that adds a custom agent. The form is loaded when the button is pressed.
import { useState } from 'react'
import { Icon } from '../shared/controls/icon.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'

const OwnAgentDialog = inOwnScript(
  async () => (await import('./own-agent-dialog.js')).OwnAgentDialog,
)

export function AddOwnAgent() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="plus" size={14} />
        {strings.ownAgent.add}
      </button>
      {isOpen && <OwnAgentDialog onClose={() => setOpen(false)} />}
    </>
  )
}
