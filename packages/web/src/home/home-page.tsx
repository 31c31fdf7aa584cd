// The first page: write a task, or pick a repository, and an agent starts there.
import { useState } from 'react'
import { Composer } from '../session/composer.js'
import { useHub, useLists } from '../shared/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { navigate, sessionPath } from '../shared/route.js'
import { useTitle } from '../shared/use-title.js'
import { NoRepos } from './no-repos.js'
import { RepoCard } from './repo-card.js'
import { useRemembered } from './use-remembered.js'

export function HomePage() {
  useTitle('Quayside')
  const { client, lists } = useHub()
  const { repos, agents, isLoaded, problem } = useLists()
  const [agentId, setAgentId] = useRemembered('quayside.agent', agents)
  const [repoId, setRepoId] = useRemembered('quayside.repo', repos)
  const [starting, setStarting] = useState<string>()
  const [failure, setFailure] = useState<string>()

  async function start(repo: string, text?: string) {
    setStarting(repo)
    setFailure(undefined)
    try {
      const session = await client.newSession({ repo, ...(agentId && { agent: agentId }) })
      if (text !== undefined) await session.prompt(text).accepted
      void lists.refreshSessions()
      navigate(sessionPath(session.id))
    } finally {
      setStarting(undefined)
    }
  }

  if (!isLoaded) return <p className="page-problem">{problem}</p>
  if (repos.length === 0) return <NoRepos />

  return (
    <div className="home">
      <div className="home-column">
        <h1 className="display">What should we build?</h1>
        <Composer
          draftKey="new"
          placeholder="Describe a task"
          hint="Enter to start · Shift Enter for a new line"
          isDisabled={starting !== undefined || repoId === undefined}
          onSend={async (text) => {
            if (repoId !== undefined) await start(repoId, text)
          }}
        >
          <Picker label="Repository" value={repoId} choices={repos} onChange={setRepoId} />
          <Picker label="Agent" value={agentId} choices={agents} onChange={setAgentId} />
        </Composer>
        <p className="problem" role="alert">
          {failure}
        </p>
        <h2 className="section-title">Repositories</h2>
        <ul className="repo-cards">
          {repos.map((repo) => (
            <RepoCard
              key={repo.id}
              repo={repo}
              isStarting={starting === repo.id}
              isDisabled={starting !== undefined}
              onStart={() => {
                start(repo.id).catch((error: unknown) => setFailure(problemOf(error)))
              }}
            />
          ))}
        </ul>
      </div>
    </div>
  )
}

type PickerProps = {
  readonly label: string
  readonly value: string | undefined
  readonly choices: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (id: string) => void
}

function Picker({ label, value, choices, onChange }: PickerProps) {
  return (
    <select
      className="picker"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
