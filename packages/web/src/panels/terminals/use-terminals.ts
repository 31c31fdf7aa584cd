// The terminals of a repository. Asked again when a person comes back to the page: another device may have opened one.
import type { Terminal } from '@quayside/client'
import { useClient } from '@quayside/client/react'
import { useCallback, useEffect } from 'react'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'

export function useTerminals(repoId: string): Loaded<readonly Terminal[]> {
  const client = useClient()
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Terminal[]> => {
      const terminals = await client.terminals.list({ signal })
      return terminals.filter((terminal) => terminal.repoId === repoId)
    },
    [client, repoId],
  )
  const terminals = useLoaded(load)
  const { reload } = terminals

  useEffect(() => {
    addEventListener('focus', reload)
    return () => removeEventListener('focus', reload)
  }, [reload])

  return terminals
}
