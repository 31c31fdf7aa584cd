// The table's part for notifications of devices whose page nobody looks at.
import { pushKeySchema, pushSubscriptionSchema } from './push-schemas.js'
import { answer, json, type Route } from './route.js'

export const pushRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/push',
    operationId: 'getPushKey',
    tag: 'Notifications',
    summary: 'The hub’s public key for Web Push',
    answers: answer(200, 'The key.', pushKeySchema),
    errors: [],
  },
  {
    method: 'put',
    path: '/api/push/subscription',
    operationId: 'subscribeToPush',
    tag: 'Notifications',
    scope: 'read',
    summary: 'Tell this device of news while no page of it is visible',
    description:
      'One subscription for each sign-in or token; a later one takes its place. It goes when its sign-in is revoked, or when the push service says that it is gone.',
    body: json(pushSubscriptionSchema),
    answers: answer(204, 'Subscribed.'),
    errors: ['push_not_possible', 'storage_failed'],
  },
  {
    method: 'delete',
    path: '/api/push/subscription',
    operationId: 'unsubscribeFromPush',
    tag: 'Notifications',
    scope: 'read',
    summary: 'Tell this device nothing more',
    answers: answer(204, 'There is no subscription any more.'),
    errors: ['storage_failed'],
  },
  {
    method: 'post',
    path: '/api/push/test',
    operationId: 'testPush',
    tag: 'Notifications',
    scope: 'read',
    summary: 'Send a notification to this device now',
    answers: answer(204, 'The push service took it.'),
    errors: ['push_not_subscribed', 'push_failed'],
  },
]
