// The choice of the agents that get the next task at the same time.
import { useState } from 'react'
import type { FormEvent } from 'react'
import { agentState } from '../agents/agent-state.js'
import { useLists, useProbes } from '../hub/hub-context.js'
import { Dialog, DialogActions } from '../shared/controls/dialog.js'
import { compareWords as words } from './compare-words.js'

const MOST = 8

type CompareAgentsDialogProps = {
  readonly chosen: readonly string[]
  readonly onChoose: (agents: readonly string[]) => void
  readonly onClose: () => void
}

export function CompareAgentsDialog({ chosen, onChoose, onClose }: CompareAgentsDialogProps) {
  const { agents } = useLists()
  const probes = useProbes()
  const [ids, setIds] = useState(chosen)
  const isPossible = ids.length >= 2 && ids.length <= MOST
  const installed = agents
    .map((agent) => ({ ...agent, state: agentState(agent, probes[agent.id]) }))
    .filter(({ state }) => state.is !== 'not_installed')

  function choose(event: FormEvent) {
    event.preventDefault()
    onChoose(ids)
    onClose()
  }

  return (
    <Dialog title={words.chooseTitle} onClose={onClose}>
      <p className="dialog-text">{words.chooseText}</p>
      <form className="form" onSubmit={choose}>
        <ul className="compare-agents">
          {installed.map(({ id, name, state }) => (
            <li key={id}>
              <label className="compare-agent">
                <input
                  type="checkbox"
                  checked={ids.includes(id)}
                  onChange={({ target }) =>
                    setIds(target.checked ? [...ids, id] : ids.filter((one) => one !== id))
                  }
                />
                <span>{name}</span>
                <span className="muted">{state.words}</span>
              </label>
            </li>
          ))}
        </ul>
        <p className="muted" role="status">
          {isPossible ? '' : words.atLeastTwo}
        </p>
        <DialogActions onCancel={onClose}>
          <button className="button primary" disabled={!isPossible}>
            {words.chosen(ids.length)}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
