// The terminals of the work tree that a session works in, and those elsewhere in its repository, for people who may use them. Reloaded when the
// page becomes visible, because another device may have opened one.
import type { Terminal } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub, useSession } from '@quayside/client/react'
import { useCallback, useEffect } from 'react'
import { useMay } from '../../hub/hub-context.js'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'

export type PlacedTerminals = {
  readonly here: readonly Terminal[]
  /** In other work trees of the repository. */
  readonly elsewhere: readonly Terminal[]
}

export function useTerminals(sessionId: string, repoId: string): Loaded<PlacedTerminals> {
  const client = useHub()
  const mayOpen = useMay('admin')
  const workTree = useSession(sessionId).info?.workspace?.path
  const load = useCallback(
    async (signal: AbortSignal): Promise<PlacedTerminals> => {
      if (!mayOpen) return { here: [], elsewhere: [] }
      const all = await terminalsOf(client).list({ signal })
      const terminals = all.filter((terminal) => terminal.repoId === repoId)
      const isHere = ({ cwd }: Terminal) => workTree === undefined || isInside(cwd, workTree)
      return {
        here: terminals.filter(isHere),
        elsewhere: terminals.filter((terminal) => !isHere(terminal)),
      }
    },
    [client, repoId, mayOpen, workTree],
  )
  const terminals = useLoaded(load)
  const { reload } = terminals

  useEffect(() => {
    addEventListener('focus', reload)
    return () => removeEventListener('focus', reload)
  }, [reload])

  return terminals
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
