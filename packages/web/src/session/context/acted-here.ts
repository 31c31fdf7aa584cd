// Whether something was done from here, or on another device.
import { useAccess } from '../../hub/hub-context.js'

/** What nobody is named for counts as one's own. */
export function useActedHere(): (by: string | undefined) => boolean {
  const access = useAccess()
  return (by) => by === undefined || (access.is === 'signed_in' && access.name === by)
}
