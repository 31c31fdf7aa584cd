// The home page: a new task, the inbox and the repositories.
import { useSessions } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { draftOf } from '../drafts/draft.js'
import { usePictures } from '../composer/use-pictures.js'
import { useHubObjects, useLists, useMay } from '../hub/hub-context.js'
import { navigate } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { inOwnScript, Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { type Composing, NEW_DRAFT, NewSession } from './new-session.js'
import { ALL_SESSIONS } from '../sessions/session-queries.js'
import { SampleTasks } from './sample-tasks.js'
import { takeShared } from './share-target.js'

type HomePageProps = {
  readonly repo?: string | undefined
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
  readonly isShared?: boolean | undefined
}

const words = strings.home
/** Below the composer, which does not wait for it. */
const Inbox = inOwnScript(async () => (await import('./inbox.js')).Inbox)
const RepoCards = inOwnScript(async () => (await import('../repos/repo-cards.js')).RepoCards)
const NoRepos = inOwnScript(
  async () => (await import('../repos/no-repos.js')).NoRepos,
  () => <Skeleton />,
)

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
          <Inbox />
        </div>
      </div>
    )
  return (
    <WithLists>
      {repos.length === 0 ? (
        <NoRepos />
      ) : (
        <NewSession title={words.title} asked={asked}>
          {(composing) => (
            <>
              <Inbox />
              <FirstTasks {...composing} />
              <RepoCards
                title={words.repos}
                chosen={composing.repoId}
                onChoose={composing.chooseRepo}
                onAdd={composing.addRepo}
              />
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

/** For people without a session yet. */
function FirstTasks({ isStarting, startTask }: Composing) {
  const { is, total } = useSessions(ALL_SESSIONS)
  if (is !== 'ready' || total > 0) return null
  return (
    <section className="home-section">
      <h2 className="section-title">{strings.welcome.task}</h2>
      <SampleTasks isDisabled={isStarting} onStart={startTask} />
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
