// The terminals of a repository, for people who may use them. Reloaded when the page becomes visible, because another
// device may have opened one.
import type { Terminal } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub } from '@quayside/client/react'
import { useCallback, useEffect } from 'react'
import { useMay } from '../../hub/hub-context.js'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'

export function useTerminals(repoId: string): Loaded<readonly Terminal[]> {
  const client = useHub()
  const mayOpen = useMay('admin')
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Terminal[]> => {
      if (!mayOpen) return []
      const terminals = await terminalsOf(client).list({ signal })
      return terminals.filter((terminal) => terminal.repoId === repoId)
    },
    [client, repoId, mayOpen],
  )
  const terminals = useLoaded(load)
  const { reload } = terminals

  useEffect(() => {
    addEventListener('focus', reload)
    return () => removeEventListener('focus', reload)
  }, [reload])

  return terminals
}
