// The command of the hub as a person types it on the hub's computer: `quayside`, or through npm in a clone.
import { HubUpkeep } from '@quayside/client/admin'
import { useHub } from '@quayside/client/react'
import { useCallback } from 'react'
import { useLoaded } from '../shared/use-loaded.js'

export function useCliCommand(): string {
  const client = useHub()
  const read = useCallback(() => new HubUpkeep(client).health(), [client])
  return useLoaded(read).value?.command ?? 'quayside'
}
