// Every notification that the hub sends over the WebSocket: its params, and when it is sent.
import { z } from 'zod'
import { sessionEventSchema } from '../events/event-schemas.js'
import type { SessionEvent } from '../events/events.js'
import type { Shape } from '../shape.js'
import { sessionSummarySchema } from './rooms/sessions/sessions.js'
import { terminalExitSchema, terminalPieceSchema } from './rooms/terminals.js'

type Notification = { readonly params: z.ZodObject; readonly sent: string }

const terminalId = { terminalId: z.string() }

export const NOTIFICATIONS = {
  'session/events': {
    params: z.object({
      sessionId: z.string(),
      events: z.array(sessionEventSchema as z.ZodType<SessionEvent>),
    }),
    sent: 'After `session/follow`: one or more events, in order.',
  },
  'session/removed': {
    params: z.object({ sessionId: z.string() }),
    sent: 'When a followed session is removed. No event of it follows.',
  },
  'session/reset': {
    params: z.object({ sessionId: z.string(), after: z.number(), lastSeq: z.number() }),
    sent: 'When `after` is beyond the end of the log, as after a restored backup. No event follows.',
  },
  'sessions/changed': {
    params: z.object({ sessions: z.array(sessionSummarySchema), removed: z.array(z.string()) }),
    sent: 'After `sessions/watch`: the changed sessions of the list, and the ids of removed ones.',
  },
  'terminal/output': {
    params: z.object({ ...terminalId, ...terminalPieceSchema.shape }),
    sent: 'After `terminal/follow` and `terminal/watch`: the next part of the output.',
  },
  'terminal/exited': {
    params: z.object({ ...terminalId, exit: terminalExitSchema.nullable() }),
    sent: 'After the last output. `exit` is null when the end of the program is unknown.',
  },
} satisfies Readonly<Record<string, Notification>>

type Notifications = typeof NOTIFICATIONS
/** A notification as the hub sends it. */
export type HubNotification = {
  [Method in keyof Notifications]: {
    readonly method: Method
    readonly params: Shape<Notifications[Method]['params']>
  }
}[keyof Notifications]
