// Signs in to an agent: with one of its own methods, in a terminal, or with a key that the hub stores as a secret.
import '../styles/agent-cards.css'
import type { SignInMethod } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import type { Extension, Terminal } from '@quayside/protocol'
import { useCallback, useState } from 'react'
import { Dialog } from '../shared/controls/dialog.js'
import { useHubObjects, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link, terminalPath } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { Skeleton } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { AgentKeys } from './agent-keys.js'

const words = strings.agents
const TERMINAL = 'terminal'

type AgentSignInProps = {
  readonly agent: Extension
  /** The methods that an error listed; without them, the methods of the last probe. */
  readonly methods?: readonly SignInMethod[] | undefined
  readonly onClose: () => void
  /** Called after the sign-in. */
  readonly onDone?: () => void
}

export function AgentSignIn({ agent, methods, onClose, onDone }: AgentSignInProps) {
  const client = useHub()
  const { probes } = useHubObjects()
  const probed = useProbes()[agent.id]
  const read = useCallback(
    (signal: AbortSignal) => client.agents.get(agent.id, { signal }),
    [client, agent.id],
  )
  const { value: detail, problem } = useLoaded(read)
  const [terminal, setTerminal] = useState<Terminal>()
  const offered = methods ?? (probed?.is === 'known' ? probed.probe.signInMethods : [])

  function finish() {
    probes.check(agent.id)
    showToast({ text: words.signInDone(agent.name) })
    onClose()
    onDone?.()
  }

  return (
    <Dialog title={words.signInNamed(agent.name)} onClose={onClose}>
      <p className="dialog-text">{words.signInText(agent.name)}</p>
      {terminal && <InTerminal terminal={terminal} onCheck={finish} />}
      {!terminal && (
        <Methods
          agent={agent}
          methods={[...offered, ...terminalMethod(detail?.auth?.terminal !== undefined)]}
          onDone={(opened) => (opened ? setTerminal(opened) : finish())}
        />
      )}
      {detail === undefined && problem === undefined && <Skeleton rows={2} />}
      {detail?.auth && detail.auth.env.length > 0 && (
        <AgentKeys agentId={agent.id} keys={detail.auth.env} onSaved={finish} />
      )}
      <p className="problem" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}

type MethodsProps = {
  readonly agent: Extension
  readonly methods: readonly SignInMethod[]
  readonly onDone: (terminal: Terminal | undefined) => void
}

function Methods({ agent, methods, onDone }: MethodsProps) {
  const client = useHub()
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()

  async function signIn(methodId: string) {
    setBusy(methodId)
    setProblem(undefined)
    try {
      const { terminal } = await client.agents.authenticate(agent.id, methodId)
      onDone(terminal)
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <>
      <ul className="methods">
        {methods.map(({ id, name, description, how, variables }) => (
          <li key={id} className="method">
            <div>
              <b>{name}</b>
              <p className="muted">
                {how === 'environment' && variables
                  ? words.environment(variables.join(', '))
                  : description}
              </p>
            </div>
            {how !== 'environment' && (
              <button
                type="button"
                className="button"
                disabled={busy !== undefined}
                aria-label={`${words.signInWith}: ${name}`}
                onClick={() => void signIn(id)}
              >
                {busy === id && <Icon name="spinner" size={14} />}
                {words.signInWith}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="problem" role="alert">
        {problem}
      </p>
    </>
  )
}

function InTerminal({ terminal, onCheck }: { terminal: Terminal; onCheck: () => void }) {
  return (
    <div className="note">
      <p>{words.inTerminal}</p>
      <pre className="command">{[terminal.command, ...terminal.args].join(' ')}</pre>
      <div className="dialog-actions">
        <Link className="button primary" href={terminalPath(terminal.id)}>
          {words.openTerminal}
        </Link>
        <button type="button" className="button" onClick={onCheck}>
          {words.checkAgain}
        </button>
      </div>
    </div>
  )
}

/** The sign-in method that the manifest's `auth.terminal` adds to the agent's own methods. */
function terminalMethod(isOffered: boolean): readonly SignInMethod[] {
  if (!isOffered) return []
  const { terminalMethod: name, terminalMethodText: description } = words
  return [{ id: TERMINAL, name, description, how: 'terminal' }]
}
