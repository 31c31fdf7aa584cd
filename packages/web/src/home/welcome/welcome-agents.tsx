// The agents of the first visit: those on this computer can be chosen, the others can be installed.
import type { Extension } from '@quayside/protocol'
import { AgentRow } from '../../agents/agent-row.js'
import { agentState } from '../../agents/agent-state.js'
import { useLists, useProbes } from '../../hub/hub-context.js'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'

const words = strings.welcome

type WelcomeAgentsProps = {
  /** The id of the chosen agent. */
  readonly chosen: string | undefined
  readonly onChoose: (agentId: string) => void
}

export function WelcomeAgents({ chosen, onChoose }: WelcomeAgentsProps) {
  const { agents } = useLists()
  const states = useProbes()
  const stateOf = (agent: Extension) => agentState(agent, states[agent.id]).is
  const here = agents.filter((agent) => stateOf(agent) !== 'not_installed')
  const missing = agents.filter((agent) => stateOf(agent) === 'not_installed')
  const isLooking = agents.some((agent) => stateOf(agent) === 'looking')
  return (
    <>
      <div role="radiogroup" aria-label={words.title}>
        <ul className="agent-cards">
          {here.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              choice={{ isChosen: agent.id === chosen, onChoose: () => onChoose(agent.id) }}
            />
          ))}
        </ul>
      </div>
      {missing.length > 0 && (
        <details className="more-agents" open={!isLooking && here.length === 0}>
          <summary>
            <Icon name="chevron" size={14} />
            {words.others(missing.length)}
          </summary>
          <ul className="agent-cards">
            {missing.map((agent) => (
              <AgentRow key={agent.id} agent={agent} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
