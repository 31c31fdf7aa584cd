// Shows how to install an agent that was chosen: its command to copy or to run in a terminal, and a check afterwards.
import { useHub } from '@quayside/client/react'
import type { Extension } from '@quayside/protocol'
import { useCallback } from 'react'
import { useHubObjects, useMay, useProbes } from '../hub/hub-context.js'
import { CopyButton } from '../shared/controls/copy-button.js'
import { Dialog } from '../shared/controls/dialog.js'
import { Icon } from '../shared/controls/icon.js'
import { Skeleton } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { agentState } from './agent-state.js'
import { useInstall } from './use-install.js'

const words = strings.agents

type InstallDialogProps = {
  readonly agent: Extension
  /** Called when the agent is found, and can be chosen. */
  readonly onInstalled: () => void
  readonly onClose: () => void
}

export function InstallDialog({ agent, onInstalled, onClose }: InstallDialogProps) {
  const client = useHub()
  const { probes } = useHubObjects()
  const state = agentState(agent, useProbes()[agent.id])
  const read = useCallback(
    (signal: AbortSignal) => client.agents.get(agent.id, { signal }),
    [client, agent.id],
  )
  const { value: detail, problem } = useLoaded(read)
  const isThere = state.is === 'ready' || state.is === 'needs_sign_in'

  return (
    <Dialog title={words.installNamed(agent.name)} onClose={onClose}>
      <p className="dialog-text">{words.installText(agent.name)}</p>
      {detail?.install !== undefined && <Command agentId={agent.id} command={detail.install} />}
      {detail?.website !== undefined && (
        <p className="dialog-text">
          <a href={detail.website} target="_blank" rel="noopener noreferrer">
            {detail.website}
          </a>
        </p>
      )}
      {detail === undefined && problem === undefined && <Skeleton rows={2} />}
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        <span className="agent-state" data-look={state.look} role="status">
          {state.is === 'looking' && <Icon name="spinner" size={12} />}
          {state.words}
        </span>
        {isThere ? (
          <button type="button" className="button primary" onClick={onInstalled}>
            {words.use(agent.name)}
          </button>
        ) : (
          <button
            type="button"
            className="button"
            disabled={state.is === 'looking'}
            onClick={() => probes.check(agent.id)}
          >
            {words.checkAgain}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function Command({ agentId, command }: { agentId: string; command: string }) {
  const mayInstall = useMay('admin')
  const { isOpening, problem, install } = useInstall(agentId)
  return (
    <>
      <div className="command-row">
        <pre className="command" tabIndex={0}>
          {command}
        </pre>
        <CopyButton text={command} />
        {mayInstall && (
          <button type="button" className="button primary" disabled={isOpening} onClick={install}>
            {words.runInstall}
          </button>
        )}
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
