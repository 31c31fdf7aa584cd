// Handles the shortcuts of the shell.
import { useSessions } from '@quayside/client/react'
import { useEffect, useEffectEvent } from 'react'
import { groupSessions } from '../sessions/session-groups.js'
import { ALL_SESSIONS, LIVE_SESSIONS, needsYou } from '../sessions/session-queries.js'
import { useLists } from '../hub/hub-context.js'
import { focusComposer } from '../shared/page-focus.js'
import { prefer, preferences } from '../shared/preferences.js'
import { navigate, sessionPath } from '../shared/route.js'
import { actionOf, type ShellAction } from './shortcuts.js'

type ShellKeys = {
  readonly current: string | undefined
  readonly onPalette: () => void
  readonly onHelp: () => void
}

export function useShellKeys({ current, onPalette, onHelp }: ShellKeys): void {
  const { repos } = useLists()
  const { sessions } = useSessions(ALL_SESSIONS)
  const { sessions: live } = useSessions(LIVE_SESSIONS)

  function goTo(ids: readonly string[], step: number) {
    const index = ids.indexOf(current ?? '')
    const next = index < 0 && step < 0 ? ids.at(-1) : ids.at((index + step) % ids.length)
    if (next !== undefined) navigate(sessionPath(next))
  }

  const act = useEffectEvent((action: ShellAction) => {
    const inOrder = () =>
      groupSessions(sessions, repos).flatMap(({ members }) => members.map(({ id }) => id))
    const actions: Record<ShellAction, () => void> = {
      palette: onPalette,
      help: onHelp,
      newSession: () => navigate('/'),
      nextSession: () => goTo(inOrder(), 1),
      previousSession: () => goTo(inOrder(), -1),
      needsYou: () =>
        goTo(
          live.filter(needsYou).map(({ id }) => id),
          1,
        ),
      sidebar: () => prefer({ isSideHidden: !preferences().isSideHidden }),
      composer: focusComposer,
    }
    actions[action]()
  })

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const action = event.defaultPrevented ? undefined : actionOf(event)
      // An open dialog handles its own keys.
      if (action === undefined || document.querySelector('dialog[open]')) return
      event.preventDefault()
      act(action)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
