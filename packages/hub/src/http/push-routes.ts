// A device subscribes to news, tries it out, and unsubscribes. It does so for itself: what it asks with says which device it is.
import { pushSubscriptionSchema } from '@quayside/protocol/schemas'
import { type Request, Router } from 'express'
import { HubError } from '../errors.js'
import type { PushSender } from '../push/push-sender.js'
import type { PushSubscriptions } from '../push/push-subscriptions.js'
import type { VapidKeys } from '../push/vapid-keys.js'
import { principalOf } from './principal.js'

export type PushDeps = {
  readonly pushKeys: VapidKeys
  readonly sender: PushSender
  readonly subscriptions: PushSubscriptions
}

/** For `/api/push`. */
export function pushRoutes({ pushKeys, sender, subscriptions }: PushDeps): Router {
  const routes = Router()

  routes.get('/', (_request, response) => {
    response.json({ publicKey: pushKeys.publicKey })
  })

  routes.put('/subscription', (request, response) => {
    const subscription = pushSubscriptionSchema.parse(request.body)
    sender.requirePossible(subscription.endpoint)
    subscriptions.set(requireDevice(request), subscription)
    response.status(204).end()
  })

  routes.delete('/subscription', (request, response) => {
    const { credentialId } = principalOf(request)
    if (credentialId !== undefined) subscriptions.remove(credentialId)
    response.status(204).end()
  })

  routes.post('/test', async (request, response) => {
    const { credentialId } = principalOf(request)
    const subscriber = credentialId === undefined ? undefined : subscriptions.find(credentialId)
    if (subscriber === undefined) throw new HubError('push_not_subscribed')
    if ((await sender.send(subscriber, { kind: 'test' })) === 'gone') {
      subscriptions.remove(subscriber.credentialId)
      throw new HubError('push_not_subscribed')
    }
    response.status(204).end()
  })

  return routes
}

function requireDevice(request: Request): string {
  const { credentialId } = principalOf(request)
  if (credentialId !== undefined) return credentialId
  throw new HubError('push_not_possible', {
    message: 'Only a browser that is signed in, or a token that can be revoked, has notifications.',
  })
}
