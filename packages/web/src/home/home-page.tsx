// The home page: a new task, the sessions that need a person, and the repositories.
import { useSessions } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { draftOf } from '../drafts/draft.js'
import { usePictures } from '../composer/use-pictures.js'
import { useHubObjects, useLists, useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { navigate } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { NEW_DRAFT, NewSession, type StartIn } from './new-session.js'
import { NoRepos } from '../repos/no-repos.js'
import { RepoCard } from '../repos/repo-card.js'
import { ALL_SESSIONS, LIVE_SESSIONS, needsYou } from '../sessions/session-queries.js'
import { SessionLink } from '../sessions/session-link.js'
import { takeShared } from './share-target.js'

type HomePageProps = {
  readonly repo?: string | undefined
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
  readonly isShared?: boolean | undefined
}

const REPOS_SHOWN = 9
const words = strings.home

export function HomePage({ prompt, isShared = false, ...asked }: HomePageProps) {
  useTitle(strings.appName)
  useState(() => prompt !== undefined && receiveFrom('link', prompt))
  useShared(isShared)
  const { repos } = useLists()
  const mayStart = useMay('write')

  if (!mayStart)
    return (
      <div className="home">
        <div className="home-column narrow">
          <h1 className="display">{words.lookOnTitle}</h1>
          <p className="lead">{words.lookOnText}</p>
        </div>
      </div>
    )
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

/** Renders its children once the repositories and agents are loaded. */
export function WithLists({ children }: { children: ReactNode }) {
  const { lists } = useHubObjects()
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

/** Content that another app shared, for the draft of a new session. */
function useShared(isShared: boolean): void {
  const { add, problem } = usePictures(draftOf(NEW_DRAFT), undefined)
  const take = useEffectEvent(async () => {
    const { text, pictures } = await takeShared()
    if (receiveFrom('share', text, pictures)) add(pictures)
    navigate('/', { replace: true })
  })
  useEffect(() => {
    if (isShared) void take()
  }, [isShared])
  useEffect(() => {
    if (problem !== undefined) showToast({ text: problem })
  }, [problem])
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

function Repositories({ startingIn, startIn, addRepo }: StartIn) {
  const { repos } = useLists()
  const { sessions } = useSessions(ALL_SESSIONS)
  const [isAll, setAll] = useState(false)
  return (
    <section className="home-section">
      <div className="section-head">
        <h2 className="section-title">{words.repos}</h2>
        <button type="button" className="quiet-button" onClick={addRepo}>
          <Icon name="plus" size={14} />
          {strings.addRepo.add}
        </button>
      </div>
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

/** Any site can open such a link or share something, so hidden characters of the text are made visible. */
function receiveFrom(
  source: 'link' | 'share',
  text: string,
  pictures: readonly File[] = [],
): boolean {
  if (text === '' && pictures.length === 0) return false
  return draftOf(NEW_DRAFT).receive({ source, text: escapeInvisible(text), pictures })
}
