// The row of one agent: its state on this computer, and the next step when it does not work yet.
import type { Extension } from '@quayside/protocol'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { CopyButton } from '../shared/controls/copy-button.js'
import { useHubObjects, useMay, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'
import { agentState } from './agent-state.js'
import { AgentSignIn } from './agent-sign-in.js'

const words = strings.agents

type AgentRowProps = { readonly agent: Extension; readonly children?: ReactNode }

export function AgentRow({ agent, children }: AgentRowProps) {
  const probed = useProbes()[agent.id]
  const state = agentState(agent, probed)
  const probe = probed?.is === 'known' ? probed.probe : undefined
  const problem = probe?.problem ?? agent.problem ?? agent.lastProbe?.problem
  const isInTrouble = state.is === 'broken' && problem !== undefined

  return (
    <li className="agent-card" data-testid="agent" data-state={state.is}>
      <span className="agent-letter" aria-hidden="true">
        {agent.name.slice(0, 1)}
      </span>
      <div className="agent-text">
        <b>{agent.name}</b>
        <span className="agent-state" data-look={state.look} role="status">
          {state.is === 'looking' && <Icon name="spinner" size={12} />}
          {state.words}
        </span>
        {state.is === 'not_installed' && probe?.install !== undefined && (
          <pre className="command">{probe.install}</pre>
        )}
        {isInTrouble && (
          <details className="agent-trouble">
            <summary>
              <Icon name="chevron" size={12} />
              {strings.common.details}
            </summary>
            <pre className="command">{problem}</pre>
          </details>
        )}
        {children}
      </div>
      <AgentAction agent={agent} is={state.is} install={probe?.install} />
    </li>
  )
}

type AgentActionProps = {
  readonly agent: Extension
  readonly is: ReturnType<typeof agentState>['is']
  readonly install: string | undefined
}

function AgentAction({ agent, is, install }: AgentActionProps) {
  const { probes } = useHubObjects()
  const mayProbe = useMay('write')
  const maySignIn = useMay('admin')
  const [isSigningIn, setSigningIn] = useState(false)

  switch (is) {
    case 'looking':
      return null
    case 'ready':
      return (
        <span className="agent-ok">
          <Icon name="checkCircle" size={18} />
        </span>
      )
    case 'needs_sign_in':
      if (!maySignIn) return null
      return (
        <>
          <button
            type="button"
            className="button primary"
            aria-label={words.signInNamed(agent.name)}
            onClick={() => setSigningIn(true)}
          >
            {words.signIn}
          </button>
          {isSigningIn && <AgentSignIn agent={agent} onClose={() => setSigningIn(false)} />}
        </>
      )
    case 'not_installed':
      if (install !== undefined) return <CopyButton text={install} />
      break
    default:
  }
  if (!mayProbe) return null
  return (
    <button type="button" className="button" onClick={() => probes.check(agent.id)}>
      {is === 'unknown' ? words.check : words.checkAgain}
      <span className="visually-hidden">: {agent.name}</span>
    </button>
  )
}
