// Implements the commands about the ways to the hub from other devices.
import type { Handlers, reachCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import type { Reach } from '../reach/reach.js'
import type { RemoteHosts } from '../reach/remote-hosts.js'

export type ReachDeps = { readonly reach: Reach; readonly remoteHosts: RemoteHosts }

export function reach({ reach, remoteHosts }: ReachDeps): Handlers<typeof reachCommands, Caller> {
  return {
    'reach/get': () => reach.describe(),
    'host/add': ({ hostname, ...options }) => remoteHosts.add(hostname, options),
    'host/remove': ({ hostname }) => remoteHosts.remove(hostname),
  }
}
