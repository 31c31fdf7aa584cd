// The zod schemas and the table of commands, an entry of their own so that no browser bundle carries them.
export * from './acp/acp-schemas.js'
export * from './api/access.js'
export * from './api/agents.js'
export {
  type Command,
  type Commands,
  type Content,
  type Handlers,
  parseAddress,
  type RawHandlers,
  replaceNames,
  type RestCommand,
  ROUTE_TAGS,
  type RouteTag,
} from './api/command.js'
export * from './api/commands.js'
export * from './api/decisions.js'
export * from './api/feeds.js'
export * from './api/hub.js'
export * from './api/notifications.js'
export * from './api/probe-schemas.js'
export * from './api/processes.js'
export * from './api/push.js'
export * from './api/reading.js'
export * from './api/repos.js'
export { includesScope, type Scope, SCOPES } from './api/scopes.js'
export * from './api/sessions.js'
export * from './api/settings-schemas.js'
export * from './api/storage.js'
export * from './api/terminals.js'
export * from './api/turns.js'
export * from './api/wire-schemas.js'
export * from './events/event-schemas.js'
export * from './export/transcript-schemas.js'
export * from './transcript/message-schemas.js'
export * from './transcript/timeline-schemas.js'
