// The first page: write a task, see who waits for you, or pick a repository, and an agent starts there.
import { useSessions } from '@quayside/client/react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useHub, useLists } from '../shared/hub-context.js'
import { Skeleton, Trouble } from '../shared/trouble.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings.js'
import { NewSession, type StartIn } from './new-session.js'
import { NoRepos } from './no-repos.js'
import { RepoCard } from './repo-card.js'
import { ALL_SESSIONS, LIVE_SESSIONS, needsYou } from './session-list.js'
import { SessionLink } from './session-link.js'

type HomePageProps = {
  readonly repo?: string | undefined
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
}

const REPOS_SHOWN = 9
const words = strings.home

export function HomePage({ prompt, ...asked }: HomePageProps) {
  useTitle(strings.appName)
  useState(() => prompt !== undefined && fillIn(prompt))
  const { repos } = useLists()

  return (
    <WithLists>
      {repos.length === 0 ? (
        <NoRepos />
      ) : (
        <NewSession title={words.title} asked={asked}>
          {(start) => (
            <>
              <NeedsYou />
              <Repositories {...start} />
            </>
          )}
        </NewSession>
      )}
    </WithLists>
  )
}

/** Its children are drawn when repositories and agents are known. */
export function WithLists({ children }: { children: ReactNode }) {
  const { lists } = useHub()
  const { isLoaded, problem } = useLists()
  if (isLoaded) return children
  return (
    <div className="home">
      <div className="home-column">
        {problem === undefined ? (
          <Skeleton />
        ) : (
          <Trouble problem={problem} onRetry={() => void lists.refresh()} />
        )}
      </div>
    </div>
  )
}

/** A link may bring the task; it is a draft like any other until someone sends it. */
function fillIn(prompt: string): void {
  localStorage.setItem('quayside.draft.new', prompt)
}

function NeedsYou() {
  const { repos } = useLists()
  const { sessions } = useSessions(LIVE_SESSIONS)
  const waiting = sessions.filter(needsYou)
  if (waiting.length === 0) return null
  return (
    <section className="home-section">
      <h2 className="section-title">{words.needsYou(waiting.length)}</h2>
      <ul className="home-sessions">
        {waiting.map((session) => (
          <li key={session.id}>
            <SessionLink
              session={session}
              repoName={repos.find(({ id }) => id === session.repoId)?.name}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Repositories({ startingIn, startIn }: StartIn) {
  const { repos } = useLists()
  const { sessions } = useSessions(ALL_SESSIONS)
  const [isAll, setAll] = useState(false)
  return (
    <section className="home-section">
      <h2 className="section-title">{words.repos}</h2>
      <ul className="repo-cards">
        {repos.slice(0, isAll ? undefined : REPOS_SHOWN).map((repo) => (
          <RepoCard
            key={repo.id}
            repo={repo}
            sessionCount={sessions.filter(({ repoId }) => repoId === repo.id).length}
            isStarting={startingIn === repo.id}
            isDisabled={startingIn !== undefined}
            onStart={() => startIn(repo.id)}
          />
        ))}
      </ul>
      {!isAll && repos.length > REPOS_SHOWN && (
        <button type="button" className="quiet-button" onClick={() => setAll(true)}>
          {strings.frame.more}
        </button>
      )}
    </section>
  )
}
