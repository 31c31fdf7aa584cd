// Every REST route of the hub in one table. The OpenAPI document is made from it and tests hold the server to it.
import type { Route } from './route.js'
import { accessRoutes } from './routes-access.js'
import { agentRoutes } from './routes-agents.js'
import { hubRoutes } from './routes-hub.js'
import { processRoutes } from './routes-processes.js'
import { pushRoutes } from './routes-push.js'
import { repoRoutes } from './routes-repos.js'
import { sessionRoutes } from './routes-sessions.js'
import { terminalRoutes } from './routes-terminals.js'
import { turnRoutes } from './routes-turns.js'

export {
  type Answer,
  type Content,
  errorsOf,
  type Route,
  ROUTE_TAGS,
  type RouteTag,
} from './route.js'

export { includesScope, type Scope, scopeOf, SCOPES, SOCKET_SCOPES } from './scopes.js'

export const ROUTES: readonly Route[] = [
  ...hubRoutes,
  ...accessRoutes,
  ...pushRoutes,
  ...repoRoutes,
  ...agentRoutes,
  ...sessionRoutes,
  ...turnRoutes,
  ...processRoutes,
  ...terminalRoutes,
]
