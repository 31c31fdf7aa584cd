// The first page: write a task, or pick a repository, and an agent starts there.
import { HubError } from '@quayside/client'
import { useSessions } from '@quayside/client/react'
import type { ContentBlock } from '@quayside/protocol'
import { useEffect, useEffectEvent, useState } from 'react'
import { Composer } from '../session/composer.js'
import { draftOf, inputOf } from '../session/composer/draft.js'
import { usePictures } from '../session/composer/use-pictures.js'
import { useHub, useLists, useMay } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link, navigate, settingsPath } from '../shared/route.js'
import { say } from '../shared/toasts.js'
import { Skeleton, Trouble } from '../shared/trouble.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings.js'
import { NewSessionPickers } from './new-session-pickers.js'
import { NewSessionSettings } from './new-session-settings.js'
import { NoRepos } from './no-repos.js'
import { RepoCard } from './repo-card.js'
import { ALL_SESSIONS } from './session-list.js'
import { takeSharedThings } from './shared-things.js'
import { useNewSession } from './use-new-session.js'
import { useStart } from './use-start.js'

type HomePageProps = {
  readonly repo?: string | undefined
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
  readonly isShared?: boolean | undefined
}

type FailedStart = { readonly error: HubError; readonly isSaid: boolean }

const REPOS_SHOWN = 9
/** The key of what is written here. A link may bring it; it stays a draft until someone sends it. */
const DRAFT = 'new'
const words = strings.home
const WAYS: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  session_limit: { href: settingsPath('processes'), label: words.allRunning },
  agent_not_installed: { href: settingsPath('agents'), label: words.install },
}

export function HomePage({ prompt, isShared = false, ...asked }: HomePageProps) {
  useTitle(strings.appName)
  useState(() => prompt !== undefined && draftOf(DRAFT).write(prompt))
  useShared(isShared)
  const { lists } = useHub()
  const { repos, isLoaded, problem } = useLists()
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
  if (isLoaded) return repos.length === 0 ? <NoRepos /> : <NewSession asked={asked} />
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

function NewSession({ asked }: { asked: Omit<HomePageProps, 'prompt'> }) {
  const choice = useNewSession(asked)
  const { startingIn, isSlow, start, dialog } = useStart()
  const [failure, setFailure] = useState<FailedStart>()
  const [isSettingUp, setSettingUp] = useState(false)
  const { repoId, agent, settings } = choice

  async function startIn(id: string, prompt?: readonly ContentBlock[]) {
    setFailure(undefined)
    const wish = { repoId: id, agentId: agent?.id, settings, ...(prompt && { prompt }) }
    try {
      await start(wish)
    } catch (error) {
      if (error instanceof HubError) setFailure({ error, isSaid: prompt !== undefined })
      throw error
    }
  }

  return (
    <div className="home">
      <div className="home-column">
        <h1 className="display">{words.title}</h1>
        <Composer
          draftKey={DRAFT}
          placeholder={words.placeholder}
          hint={words.hint}
          isDisabled={startingIn !== undefined || repoId === undefined}
          onSend={async (text, blocks) => {
            if (repoId !== undefined) await startIn(repoId, inputOf(text, blocks))
          }}
        >
          <NewSessionPickers choice={choice} onSettings={() => setSettingUp(true)} />
        </Composer>
        <StartingLine
          agentName={startingIn === undefined ? undefined : agent?.name}
          isSlow={isSlow}
        />
        <Failure failure={failure} />
        <Repositories
          startingIn={startingIn}
          // The failure is shown above.
          onStart={(id) => startIn(id).catch((error: unknown) => problemOf(error))}
        />
      </div>
      {isSettingUp && <NewSessionSettings choice={choice} onClose={() => setSettingUp(false)} />}
      {dialog}
    </div>
  )
}

type StartingLineProps = { readonly agentName: string | undefined; readonly isSlow: boolean }

function StartingLine({ agentName, isSlow }: StartingLineProps) {
  if (agentName === undefined) return null
  return (
    <p className="waiting" role="status">
      <Icon name="spinner" size={14} />
      {isSlow ? words.slowStart(agentName) : words.starting}
    </p>
  )
}

/** What another app shared becomes a draft like any other, until someone sends it. */
function useShared(isShared: boolean): void {
  const { add, problem } = usePictures(draftOf(DRAFT), undefined)
  const take = useEffectEvent(async () => {
    const { text, pictures } = await takeSharedThings()
    if (text !== '') draftOf(DRAFT).write(text)
    add(pictures)
    navigate('/', { replace: true })
  })
  useEffect(() => {
    if (isShared) void take()
  }, [isShared])
  useEffect(() => {
    if (problem !== undefined) say({ text: problem })
  }, [problem])
}

/** What to do about it, where there is something to do; what is wrong with a prompt is said where it was written. */
function Failure({ failure }: { failure: FailedStart | undefined }) {
  const way = WAYS[failure?.error.code ?? '']
  return (
    <div role="alert">
      {failure && (
        <p className="problem">
          {!failure.isSaid && problemOf(failure.error)}{' '}
          {way && <Link href={way.href}>{way.label}</Link>}
        </p>
      )}
    </div>
  )
}

type RepositoriesProps = {
  readonly startingIn: string | undefined
  readonly onStart: (repoId: string) => unknown
}

function Repositories({ startingIn, onStart }: RepositoriesProps) {
  const { repos } = useLists()
  const { sessions } = useSessions(ALL_SESSIONS)
  const [isAll, setAll] = useState(false)
  return (
    <section className="repos">
      <h2 className="section-title">{words.repos}</h2>
      <ul className="repo-cards">
        {repos.slice(0, isAll ? undefined : REPOS_SHOWN).map((repo) => (
          <RepoCard
            key={repo.id}
            repo={repo}
            sessionCount={sessions.filter(({ repoId }) => repoId === repo.id).length}
            isStarting={startingIn === repo.id}
            isDisabled={startingIn !== undefined}
            onStart={() => onStart(repo.id)}
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
