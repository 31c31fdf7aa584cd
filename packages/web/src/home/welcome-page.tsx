// The first visit: starts each agent once and shows which of them work on this computer.
import type { Extension } from '@quayside/protocol'
import { useEffect } from 'react'
import { AddOwnAgent } from '../agents/add-own-agent.js'
import { AgentRow } from '../agents/agent-row.js'
import { agentState } from '../agents/agent-state.js'
import { useHubObjects, useLists, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Logo } from '../shared/controls/logo.js'
import { prefer } from '../shared/preferences.js'
import { navigate } from '../shared/route.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'

const words = strings.welcome

export function WelcomePage() {
  useTitle(`${words.title} · ${strings.appName}`)
  const { lists, probes } = useHubObjects()
  const { agents, isLoaded, problem } = useLists()
  const states = useProbes()
  const isMissing = (agent: Extension) => agentState(agent, states[agent.id]).is === 'not_installed'
  const here = agents.filter((agent) => !isMissing(agent))
  const missing = agents.filter(isMissing)
  const isLooking = agents.some((agent) => agentState(agent, states[agent.id]).is === 'looking')
  const ready = agents.filter((agent) => agentState(agent, states[agent.id]).is === 'ready')

  useEffect(() => {
    for (const { id } of agents) if (probes.state.get()[id] === undefined) probes.check(id)
  }, [agents, probes])

  function leave() {
    prefer({ isWelcomed: true })
    void lists.refreshAgents()
    navigate('/', { replace: true })
  }

  return (
    <main id="content" className="welcome">
      <div className="welcome-column">
        <Logo size="large" />
        <h1 className="display">{words.title}</h1>
        <p className="lead" role="status">
          {isLooking || !isLoaded ? words.looking : words.found(ready.length)}
        </p>
        {!isLoaded && problem === undefined && <Skeleton />}
        {problem !== undefined && (
          <Trouble problem={problem} onRetry={() => void lists.refresh()} />
        )}
        <ul className="agent-cards">
          {here.map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </ul>
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
        <div className="welcome-actions">
          <button type="button" className="button primary" onClick={leave}>
            {ready.length > 0 ? words.continue : words.skip}
          </button>
          <button
            type="button"
            className="button"
            disabled={isLooking}
            onClick={() => agents.forEach(({ id }) => probes.check(id))}
          >
            <Icon name="refresh" size={14} />
            {words.checkAgain}
          </button>
          <AddOwnAgent />
        </div>
      </div>
    </main>
  )
}
