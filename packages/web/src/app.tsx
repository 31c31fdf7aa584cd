// Decides what is on the screen: the sign-in page, or the frame with the page that the address names.
import { useEffect } from 'react'
import { SignIn } from './access/sign-in.js'
import { Frame } from './frame.js'
import { HomePage } from './home/home-page.js'
import { SessionPage } from './session/session-page.js'
import { useAccess, useHub } from './shared/hub-context.js'
import { useRoute } from './shared/route.js'

export function App() {
  const access = useAccess()
  if (access.is === 'checking') return null
  if (access.is === 'signed_out') return <SignIn problem={access.problem} />
  return <SignedIn />
}

function SignedIn() {
  const { client, lists } = useHub()
  const route = useRoute()

  useEffect(() => lists.keepFresh(), [lists])
  useEffect(() => {
    // A first attempt that fails is repeated by itself, and the banner says so.
    client.connect().catch(() => {})
  }, [client])

  return (
    <Frame page={route.page} sessionId={route.page === 'session' ? route.id : undefined}>
      {route.page === 'session' ? <SessionPage key={route.id} id={route.id} /> : <HomePage />}
    </Frame>
  )
}
