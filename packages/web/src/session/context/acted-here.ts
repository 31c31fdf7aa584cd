// Tells this sign-in's actions from those of other devices.
import { useAccess } from '../../hub/hub-context.js'

/** An event without a name counts as this device's own. */
export function useActedHere(): (by: string | undefined) => boolean {
  const access = useAccess()
  return (by) => by === undefined || (access.is === 'signed_in' && access.name === by)
}
