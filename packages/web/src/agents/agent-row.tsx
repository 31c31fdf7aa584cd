// The row of one agent: its state on this computer, and the next step when it does not work yet.
import '../styles/agent-cards.css'
import type { Extension } from '@quayside/protocol'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { CopyButton } from '../shared/controls/copy-button.js'
import { useHubObjects, useMay, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { agentPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'
import { agentState } from './agent-state.js'
import { AgentSignIn } from './agent-sign-in.js'
import { useCheckAfterInstall, useInstall } from './use-install.js'

const words = strings.agents

type AgentChoice = { readonly isChosen: boolean; readonly onChoose: () => void }

type AgentRowProps = {
  readonly agent: Extension
  /** Lets people choose the agent, if it works. */
  readonly choice?: AgentChoice
  readonly children?: ReactNode
}

export function AgentRow({ agent, choice, children }: AgentRowProps) {
  const row = useRef<HTMLLIElement>(null)
  const probed = useProbes()[agent.id]
  const state = agentState(agent, probed)
  const probe = probed?.is === 'known' ? probed.probe : undefined
  const install = probe?.install ?? agent.install
  const problem = probe?.problem ?? agent.problem ?? agent.lastProbe?.problem
  const isInTrouble = state.is === 'broken' && problem !== undefined

  const isUsable = state.is === 'ready' || state.is === 'needs_sign_in'

  useLinked(agent.id, row)
  useCheckAfterInstall(agent.id)

  return (
    <li ref={row} className="agent-card" data-testid="agent" data-state={state.is}>
      <span className="agent-letter" aria-hidden="true">
        {agent.name.slice(0, 1)}
      </span>
      <div className="agent-text">
        <b>{choice && isUsable ? <Choice name={agent.name} {...choice} /> : agent.name}</b>
        <span className="agent-state" data-look={state.look} role="status">
          {state.is === 'looking' && <Icon name="spinner" size={12} />}
          {state.words}
        </span>
        {state.is === 'not_installed' && install !== undefined && (
          <pre className="command">{install}</pre>
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
      <AgentAction agent={agent} is={state.is} install={install} />
    </li>
  )
}

/** The whole card is the label of the radio button. */
function Choice({ name, isChosen, onChoose }: AgentChoice & { readonly name: string }) {
  return (
    <label className="agent-choice">
      <input type="radio" name="agent" checked={isChosen} onChange={onChoose} />
      {name}
    </label>
  )
}

/** A link to this agent scrolls to it and checks it, which shows its next step. */
function useLinked(id: string, row: RefObject<HTMLElement | null>): void {
  const { probes } = useHubObjects()
  const mayProbe = useMay('write')
  useEffect(() => {
    if (location.pathname + location.hash !== agentPath(id)) return
    row.current?.scrollIntoView({ block: 'center' })
    if (mayProbe) probes.check(id)
  }, [id, row, probes, mayProbe])
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
      if (install !== undefined) return <InstallActions agent={agent} install={install} />
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

function InstallActions({ agent, install }: { agent: Extension; install: string }) {
  const mayInstall = useMay('admin')
  const { isOpening, problem, install: open } = useInstall(agent.id)
  return (
    <div className="agent-install">
      <CopyButton text={install} />
      {mayInstall && (
        <button
          type="button"
          className="button"
          aria-label={words.installNamed(agent.name)}
          disabled={isOpening}
          onClick={open}
        >
          {words.runInstall}
        </button>
      )}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
