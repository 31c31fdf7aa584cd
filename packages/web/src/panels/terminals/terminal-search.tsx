// Search in the scrollback of a terminal.
import { useState } from 'react'
import { FindField } from '../../shared/controls/find-field.js'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import type { TerminalScreen } from './terminal-screen.js'

const words = strings.panels

export function TerminalSearch({ screen }: { readonly screen: TerminalScreen }) {
  const [isOpen, setOpen] = useState(false)
  const [wanted, setWanted] = useState('')
  const [isFound, setFound] = useState(true)

  function go(step: 1 | -1, text = wanted) {
    setFound(text === '' || screen.find(text, step))
  }

  if (!isOpen)
    return (
      <button
        type="button"
        className="icon-button small terminal-find"
        aria-label={words.findInTerminal}
        title={words.findInTerminal}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={14} />
      </button>
    )
  return (
    <FindField
      label={words.findInTerminal}
      value={wanted}
      found={isFound ? '' : strings.session.findCount(0, 0)}
      onChange={(value) => {
        setWanted(value)
        // Searches backwards: people look for the newest match first.
        go(-1, value)
      }}
      onGo={go}
      onClose={() => {
        setOpen(false)
        screen.focus()
      }}
    />
  )
}
