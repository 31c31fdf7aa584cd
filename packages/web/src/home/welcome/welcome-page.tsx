// The first visit: an agent that works on this computer, a repository, and a first task.
import type { Extension } from '@quayside/protocol'
import { useEffect, useState } from 'react'
import { AddOwnAgent } from '../../agents/add-own-agent.js'
import { agentState } from '../../agents/agent-state.js'
import { useHubObjects, useLists, useProbes } from '../../hub/hub-context.js'
import { AddRepoDialog, AddRepoForm } from '../../repos/add-repo.js'
import { RepoCards } from '../../repos/repo-cards.js'
import { RescanButton } from '../../repos/rescan-button.js'
import { Icon } from '../../shared/controls/icon.js'
import { Logo } from '../../shared/controls/logo.js'
import { prefer } from '../../shared/preferences.js'
import { problemOf } from '../../shared/problem.js'
import { navigate } from '../../shared/route.js'
import { Skeleton, Trouble } from '../../shared/controls/trouble.js'
import { useTitle } from '../../shared/use-title.js'
import { strings } from '../../strings/strings.js'
import { SampleTasks } from '../sample-tasks.js'
import { StartingLine } from '../starting-line.js'
import { useNewSession, type NewSessionChoice } from '../use-new-session.js'
import { useStart } from '../use-start.js'
import { WelcomeAgents } from './welcome-agents.js'

const words = strings.welcome

export function WelcomePage() {
  useTitle(`${words.title} · ${strings.appName}`)
  const { lists, probes } = useHubObjects()
  const { agents, isLoaded, problem } = useLists()
  const states = useProbes()
  const choice = useNewSession({})
  const stateOf = (id: string) => {
    const agent = agents.find((one) => one.id === id)
    return agent && agentState(agent, states[id]).is
  }
  const isLooking = agents.some(({ id }) => stateOf(id) === 'looking')
  const ready = agents.filter(({ id }) => stateOf(id) === 'ready')
  const isUsable = ['ready', 'needs_sign_in'].includes(stateOf(choice.agent?.id ?? '') ?? '')
  const chosen = isUsable ? choice.agent : ready[0]

  useEffect(() => {
    for (const { id } of agents) if (probes.state.get()[id] === undefined) probes.check(id)
  }, [agents, probes])

  function leave() {
    if (chosen) choice.chooseAgent(chosen.id)
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
        <WelcomeAgents chosen={chosen?.id} onChoose={choice.chooseAgent} />
        <div className="welcome-actions">
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
        {isLoaded && <FirstTask choice={choice} agent={chosen} />}
        <div className="welcome-actions">
          <button type="button" className="button primary" onClick={leave}>
            {ready.length > 0 ? words.continue : words.skip}
          </button>
        </div>
      </div>
    </main>
  )
}

type FirstTaskProps = {
  readonly choice: NewSessionChoice
  readonly agent: Extension | undefined
}

/** The repository, and the tasks that start a session in it. */
function FirstTask({ choice, agent }: FirstTaskProps) {
  const { repos } = useLists()
  const { startingIn, isSlow, start, dialog } = useStart()
  const [isAdding, setAdding] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { repoId, chooseRepo } = choice

  async function begin(text: string) {
    if (repoId === undefined || agent === undefined) return
    setProblem(undefined)
    choice.chooseAgent(agent.id)
    try {
      await start({ repoId, agentId: agent.id, settings: {}, options: {}, prompt: text })
      prefer({ isWelcomed: true })
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  if (repos.length === 0)
    return (
      <section className="home-section">
        <h2 className="section-title">{words.repo}</h2>
        <AddRepoForm onAdded={({ id }) => chooseRepo(id)}>
          <RescanButton className="button" />
        </AddRepoForm>
      </section>
    )
  return (
    <>
      <RepoCards
        title={words.repo}
        chosen={repoId}
        onChoose={chooseRepo}
        onAdd={() => setAdding(true)}
      />
      <section className="home-section">
        <h2 className="section-title">{words.task}</h2>
        <SampleTasks
          isDisabled={agent === undefined || startingIn !== undefined}
          onStart={(prompt) => void begin(prompt)}
        />
        <StartingLine
          agentName={startingIn === undefined ? undefined : agent?.name}
          isSlow={isSlow}
        />
        <p className="problem" role="alert">
          {problem}
        </p>
      </section>
      {isAdding && (
        <AddRepoDialog onAdded={({ id }) => chooseRepo(id)} onClose={() => setAdding(false)} />
      )}
      {dialog}
    </>
  )
}
