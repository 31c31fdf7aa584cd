// Chooses between the sign-in page, the first visit, and the frame with the page of the address.
import { useHub, useSessions } from '@quayside/client/react'
import { lazy, Suspense, useEffect } from 'react'
import { SignIn, Unreachable } from './shell/sign-in.js'
import { Frame } from './shell/frame.js'
import { HomePage } from './home/home-page.js'
import { RepoPage } from './home/repo-page.js'
import { ALL_SESSIONS } from './sessions/session-queries.js'
import { WelcomePage } from './home/welcome-page.js'
import { MissingPage } from './shell/missing-page.js'
import { SessionPage } from './session/session-page.js'
import { useAccess, useHubObjects, useMay } from './hub/hub-context.js'
import { prefer, usePreferences } from './shared/preferences.js'
import { navigate, useRoute, type Route } from './shared/route.js'
import { Skeleton } from './shared/controls/trouble.js'
import { Toasts } from './shared/controls/toasts.js'

const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.js')).SettingsPage,
}))

const TerminalPage = lazy(async () => ({
  default: (await import('./panels/terminals/terminal-page.js')).TerminalPage,
}))

export function App() {
  const access = useAccess()
  if (access.is === 'checking') return null
  if (access.is === 'unreachable') return <Unreachable />
  if (access.is === 'signed_out') return <SignIn problem={access.problem} />
  return <SignedIn />
}

function SignedIn() {
  const client = useHub()
  const { lists } = useHubObjects()
  const route = useRoute()

  useEffect(() => void lists.refresh(), [lists])
  useEffect(() => {
    // The client retries by itself, and the banner reports it.
    client.connect().catch(() => {})
  }, [client])

  if (route.page === 'welcome')
    return (
      <>
        <WelcomePage />
        <Toasts />
      </>
    )
  return (
    <Frame page={route.page} sessionId={route.page === 'session' ? route.id : undefined}>
      <FirstVisit route={route} />
      <Suspense fallback={<Skeleton />}>
        <Page route={route} />
      </Suspense>
    </Frame>
  )
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'session':
      return <SessionPage key={route.id} id={route.id} />
    case 'terminal':
      return <TerminalPage key={route.id} id={route.id} />
    case 'repo':
      return <RepoPage key={route.id} id={route.id} />
    case 'settings':
      return <SettingsPage name={route.name} />
    case 'home':
      return (
        <HomePage
          key={route.prompt}
          repo={route.repo}
          agent={route.agent}
          prompt={route.prompt}
          isShared={route.isShared}
        />
      )
    default:
      return <MissingPage />
  }
}

/**
 * Shows the agents instead of an empty home page while the hub has no session. A component of its own, because it is
 * drawn again with every change of a session.
 */
function FirstVisit({ route }: { route: Route }) {
  const { isWelcomed } = usePreferences()
  const { is, total } = useSessions(ALL_SESSIONS)
  const mayProbe = useMay('write')
  const isPlain =
    route.page === 'home' && !route.repo && !route.agent && !route.prompt && !route.isShared
  useEffect(() => {
    if (isWelcomed || is !== 'ready') return
    if (total > 0) prefer({ isWelcomed: true })
    else if (isPlain && mayProbe) navigate('/welcome', { replace: true })
  }, [isWelcomed, is, total, isPlain, mayProbe])
  return null
}
