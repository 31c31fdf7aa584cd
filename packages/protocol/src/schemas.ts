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
export * from './api/rooms/decisions.js'
export * from './api/rooms/feeds.js'
export * from './api/rooms/hub.js'
export * from './api/rooms/hubs.js'
export * from './api/notifications.js'
export * from './api/rooms/previews.js'
export * from './api/rooms/processes.js'
export * from './api/rooms/push.js'
export * from './api/rooms/reach.js'
export * from './api/rooms/reading.js'
export * from './api/rooms/clones.js'
export * from './api/rooms/comparisons.js'
export * from './api/repo-settings.js'
export * from './api/rooms/repos.js'
export { includesScope, type Scope, SCOPES } from './api/scopes.js'
export * from './api/rooms/session-settings.js'
export * from './api/rooms/sessions.js'
export * from './api/rooms/forks.js'
export * from './api/rooms/settings-schemas.js'
export * from './api/rooms/storage.js'
export * from './api/rooms/terminals.js'
export * from './api/rooms/turns.js'
export * from './api/rooms/workspaces.js'
export * from './events/event-schemas.js'
export * from './export/transcript-schemas.js'
export * from './transcript/message-schemas.js'
export * from './transcript/timeline-schemas.js'
