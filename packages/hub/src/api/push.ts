// Implements the commands for Web Push: a device subscribes, tests and unsubscribes itself. Its credential names it.
import type { pushCommands } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import type { Caller } from '../http/access/principal.js'
import type { Room } from './room.js'

export const push: Room<typeof pushCommands> = ({ pushKeys, sender, subscriptions }) => ({
  'push/key': () => ({ publicKey: pushKeys.publicKey }),
  'push/subscribe': async (subscription, caller) => {
    sender.requirePossible(subscription.endpoint)
    await subscriptions.set(requireDevice(caller), subscription)
  },
  'push/unsubscribe': async (_input, { credentialId }) => {
    if (credentialId !== undefined) await subscriptions.remove(credentialId)
  },
  'push/test': async (_input, { credentialId }) => {
    const subscriber =
      credentialId === undefined ? undefined : await subscriptions.find(credentialId)
    if (subscriber === undefined) throw new HubError('push_not_subscribed')
    if ((await sender.send(subscriber, { kind: 'test' })) !== 'gone') return
    await subscriptions.remove(subscriber.credentialId)
    throw new HubError('push_not_subscribed')
  },
})

function requireDevice({ credentialId }: Caller): string {
  if (credentialId !== undefined) return credentialId
  throw new HubError('push_not_possible', {
    message: 'Only a browser that is signed in, or a token that can be revoked, has notifications.',
  })
}
