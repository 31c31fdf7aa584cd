// A session that waits for a person, with its oldest decision.
import { useSession } from '@quayside/client/react'
import type { ListedSession } from '@quayside/protocol'
import { useMemo, useRef, useState } from 'react'
import { useLists } from '../hub/hub-context.js'
import { DecisionDock } from '../session/decision/decision-dock.js'
import { ScrollAnchor } from '../session/context/scroll-anchor.js'
import { SessionProvider } from '../session/context/session-context.js'
import { SessionLink } from '../sessions/session-link.js'
import { composerField, hasKeyboard, restoreFocus, useLeavingFocus } from '../shared/page-focus.js'
import { strings } from '../strings/strings.js'

type WaitingSessionProps = {
  readonly session: ListedSession
  /** Tells it apart from another session with the same title. */
  readonly mark: string | undefined
  /** Changes with the decisions of the list, because then their buttons move. */
  readonly listKey: string
}

export function WaitingSession({ session, mark, listKey }: WaitingSessionProps) {
  const { agents, repos } = useLists()
  const view = useSession(session.id)
  const element = useRef<HTMLLIElement>(null)
  const [scrollAnchor] = useState(() => new ScrollAnchor())
  const repo = repos.find(({ id }) => id === session.repoId)
  const agentName =
    agents.find(({ id }) => id === session.extensionId)?.name ?? strings.session.theAgent
  const context = useMemo(
    () => ({ sessionId: session.id, agentName, root: repo?.path, scrollAnchor }),
    [session.id, agentName, repo?.path, scrollAnchor],
  )
  useLeavingFocus(element, (leaving) => {
    const { nextElementSibling: next } = leaving
    restoreFocus(() => next?.querySelector<HTMLElement>('.decision') ?? fallback())
  })

  return (
    <li ref={element} className="waiting-session">
      <SessionLink session={session} repoName={repo?.name} mark={mark} />
      <SessionProvider value={context}>
        <DecisionDock view={view} agentName={agentName} listKey={listKey} />
      </SessionProvider>
    </li>
  )
}

function fallback(): HTMLElement | null {
  return hasKeyboard() ? composerField() : null
}
