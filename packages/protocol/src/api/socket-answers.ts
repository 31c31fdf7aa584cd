// What each WebSocket request is answered with, and what follows it. The documentation is made from it.
import type { SocketMethod } from './input-schemas.js'

const SESSION = '`SessionSummary`.'
const QUEUE = '`Queue` as it is now.'

export const SOCKET_ANSWERS: Readonly<Record<SocketMethod, string>> = {
  'session/new': SESSION,
  'session/prompt': '`PromptAccepted`.',
  'session/cancel': '`{}` when the turn has ended.',
  'session/complete': SESSION,
  'session/resume': SESSION,
  'session/delete': SESSION,
  'session/change': SESSION,
  'session/queue': '`Queue`.',
  'session/follow':
    '`{ after, until?, lastSeq }`, then `session/events` notifications. `limit` counts turns from the end, `since` and `before` are milliseconds since 1970; with `before` nothing newer is sent.',
  'session/unfollow': '`{}`.',
  'sessions/watch':
    '`{}`, then `sessions/changed` notifications with the rows of the list that changed.',
  'page/visible': '`{}`. While a device has a page in sight it gets no Web Push.',
  'queue/edit': QUEUE,
  'queue/remove': QUEUE,
  'queue/clear': QUEUE,
  'option/set': '`OptionSet`: the option as it is now.',
  'permission/answer': '`PermissionResolution`.',
  'question/answer': '`QuestionAnswered`: the answer that counts.',
  'terminal/follow':
    '`Terminal`, then `terminal/output` notifications and in the end `terminal/exited`.',
  'terminal/watch':
    '`{}`, then the same notifications, of a command that the agent of the session runs; `terminal_not_found` once the agent has released it.',
  'terminal/unfollow': '`{}`.',
  'terminal/input': '`{}` when the host has it; `terminal_busy` when the program does not read.',
  'terminal/resize': '`{}`.',
  'terminal/close': '`{}` when nothing of it runs any more.',
}
