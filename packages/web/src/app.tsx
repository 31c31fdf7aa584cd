// Chooses between the sign-in page, the first visit, and the frame with the page of the address.
import { useHub, useSessions } from '@quayside/client/react'
import { useEffect, type ComponentType } from 'react'
import { Unreachable } from './shell/unreachable.js'
import { Frame } from './shell/frame.js'
import { HomePage } from './home/home-page.js'
import { ALL_SESSIONS } from './sessions/session-queries.js'
import { MissingPage } from './shell/missing-page.js'
import { useAccess, useHubObjects, useLists, useMay } from './hub/hub-context.js'
import { prefer, usePreferences } from './shared/preferences.js'
import { navigate, useRoute, type Route } from './shared/route.js'
import { inOwnScript, Skeleton } from './shared/controls/trouble.js'
import { Toasts } from './shared/controls/toasts.js'

const SignIn = inOwnScript(async () => (await import('./shell/sign-in.js')).SignIn)
const loadSessionPage = async () => (await import('./session/session-page.js')).SessionPage
const SessionPage = page(loadSessionPage)
const WelcomePage = page(async () => (await import('./home/welcome/welcome-page.js')).WelcomePage)
const RepoPage = page(async () => (await import('./home/repo-page.js')).RepoPage)
const SettingsPage = page(async () => (await import('./settings/settings-page.js')).SettingsPage)
const ComparePage = page(async () => (await import('./compare/compare-page.js')).ComparePage)
const TerminalPage = page(
  async () => (await import('./panels/terminals/terminal-page.js')).TerminalPage,
)

// Does not wait for the answer that this browser is signed in.
if (location.pathname.startsWith('/s/')) preloadSessionPage()

export function App() {
  const access = useAccess()
  if (access.is === 'checking') return null
  if (access.is === 'unreachable') return <Unreachable />
  if (access.is === 'signed_out') return <SignIn problem={access.problem} />
  return <SignedIn />
}

function page<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return inOwnScript(load, () => <Skeleton />)
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
      <Preloading />
      <Page route={route} />
    </Frame>
  )
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'session':
      return <SessionPage key={route.id} id={route.id} />
    case 'terminal':
      return <TerminalPage key={route.id} id={route.id} />
    case 'compare':
      return <ComparePage key={route.id} id={route.id} />
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

/** Loads the session page as soon as the home page is complete, because the next step leads there. */
function Preloading() {
  const { isLoaded } = useLists()
  useEffect(() => {
    if (isLoaded) preloadSessionPage()
  }, [isLoaded])
  return null
}

/** The page itself reports when it cannot be loaded. */
function preloadSessionPage(): void {
  loadSessionPage().catch(() => {})
}
