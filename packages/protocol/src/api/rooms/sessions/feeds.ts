// Declares the commands that only the WebSocket has: following sessions, the list of sessions, and visible pages.
import { z } from 'zod'
import type { Commands } from '../../command.js'
import { optional, requiredText, wholeNumber } from '../../fields.js'

const sessionId = { sessionId: requiredText('sessionId is missing.') }
const seqCursor = z.int('after is a whole number from 0.').min(0, 'after is a whole number from 0.')

const ms = z.int().min(0, 'A time is in milliseconds since 1970.')
const rangeShape = {
  after: optional(seqCursor),
  limit: optional(z.int().min(0)),
  since: optional(ms),
  before: optional(ms),
}
/** The first event: after an event, with the last `limit` turns, or after a time. `before` is the end. */
export type FollowInput = Partial<Record<keyof typeof rangeShape, number>>
export const followSchema = z.strictObject({ ...sessionId, ...rangeShape })
/** The same in the address of the socket: it follows as soon as it is open. */
export const followQuerySchema = z.strictObject({
  sessionId: optional(z.string().min(1)),
  after: digits('after'),
  limit: digits('limit'),
  since: digits('since'),
  before: digits('before'),
})

export const feedCommands = {
  'session/follow': {
    scope: 'read',
    body: followSchema,
    output: z.object({
      after: z.int(),
      until: optional(z.int()),
      lastSeq: z.int(),
    }),
    errors: ['session_not_found'],
    rpc: {
      answer:
        '`{ after, until?, lastSeq }`, then `session/events` notifications. `limit` counts turns from the end, `since` and `before` are milliseconds since 1970; with `before`, later events are not sent. `session/removed` or `session/reset` ends it.',
    },
  },
  'session/unfollow': {
    scope: 'read',
    body: z.strictObject(sessionId),
    rpc: { answer: '`{}`.' },
  },
  'sessions/watch': {
    scope: 'read',
    body: z.strictObject({}),
    rpc: {
      answer: '`{}`, then `sessions/changed` notifications with the changed sessions.',
    },
  },
  'page/visible': {
    scope: 'read',
    body: z.strictObject({ visible: z.boolean('visible is true or false.') }),
    rpc: { answer: '`{}`. A device with a visible page gets no Web Push.' },
  },
} satisfies Commands

function digits(name: string) {
  return optional(wholeNumber(name, 0, Number.MAX_SAFE_INTEGER))
}
