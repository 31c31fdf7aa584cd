// Renames, pins, archives, ends and deletes a session. The list changes when the hub reports it, as on every other
// device.
import { useHub } from '@quayside/client/react'
import { strings } from '../strings/strings.js'
import type { SessionChange } from '@quayside/client'
import type { SessionSummary } from '@quayside/protocol'
import { problemOf } from '../shared/problem.js'
import { navigate, sessionPath } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'

type Commanded = Pick<SessionSummary, 'id' | 'title'>

export type SessionCommands = {
  readonly rename: (title: string) => void
  readonly pin: (pinned: boolean) => void
  readonly archive: (archived: boolean) => void
  readonly end: () => void
  readonly remove: () => void
}

export function useSessionCommands({ id, title }: Commanded): SessionCommands {
  const client = useHub()

  function attempt(action: Promise<unknown>, onDone = () => {}) {
    action.then(onDone, (error: unknown) => showToast({ text: problemOf(error) }))
  }
  const change = (changes: SessionChange, onDone?: () => void) =>
    attempt(client.sessions.change(id, changes), onDone)

  return {
    rename: (name) => change({ title: name }),
    pin: (pinned) => change({ pinned }),
    archive: (archived) =>
      change({ archived }, () => {
        if (!archived) return
        const text = strings.menu.archivedToast(title ?? strings.common.newSession)
        const action = { label: strings.common.undo, run: () => change({ archived: false }) }
        showToast({ text, action })
      }),
    end: () => attempt(client.sessions.complete(id)),
    remove: () =>
      attempt(client.sessions.delete(id, { purge: true }), () => {
        if (location.pathname.startsWith(sessionPath(id))) navigate('/', { replace: true })
      }),
  }
}
