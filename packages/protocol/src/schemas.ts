// The zod schemas and the table of commands, an entry of their own so that no browser bundle carries them.
export * from './acp/acp-schemas.js'
export * from './api/rooms/access.js'
export { parseAddress, replaceNames } from './api/address.js'
export { ADDRESSES } from './api/addresses.js'
export * from './api/rooms/agents.js'
export {
  type Command,
  type Commands,
  type Content,
  type Handlers,
  type RawHandlers,
  type RestCommand,
  ROUTE_TAGS,
  type RouteTag,
} from './api/command.js'
export * from './api/commands.js'
export * from './api/rooms/sessions/decisions.js'
export * from './api/rooms/sessions/feeds.js'
export * from './api/rooms/hubs.js'
export * from './api/notifications.js'
export * from './api/rooms/processes.js'
export * from './api/rooms/push.js'
export * from './api/rooms/sessions/reading.js'
export * from './api/rooms/clones.js'
export * from './api/rooms/sessions/comparisons.js'
export * from './api/rooms/repos.js'
export { includesScope, type Scope, SCOPES } from './api/scopes.js'
export * from './api/session-settings.js'
export * from './api/rooms/sessions/sessions.js'
export * from './api/settings-schemas.js'
export * from './api/rooms/storage.js'
export * from './api/rooms/terminals.js'
export * from './api/rooms/sessions/turns.js'
export * from './api/rooms/sessions/workspaces.js'
export * from './events/event-schemas.js'
export * from './export/transcript-schemas.js'
export * from './transcript/message-schemas.js'
export * from './transcript/timeline-schemas.js'
