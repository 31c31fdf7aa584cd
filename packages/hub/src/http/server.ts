// Everything over HTTP: gates first, then the open pages, then what needs a sign-in.
import { addRepoSchema, loginSchema } from '@quayside/protocol/schemas'
import express, { type Express, type RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { AcpEndpoint } from '../acp/acp-endpoint.js'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import type { Probes } from '../agents/probe/probes.js'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { Repos } from '../repos/repos.js'
import type { Session } from '../sessions/live/session.js'
import type { MediaStore } from '../store/media.js'
import { type AccessDeps, accessRoutes } from './access-routes.js'
import { agentSignInRoutes } from './agent-sign-in-routes.js'
import { browseRoutes } from './browse-routes.js'
import { deviceName } from './device-name.js'
import { docsRoutes } from './docs-page.js'
import { errorResponse } from './error-response.js'
import { extensionRoutes } from './extension-routes.js'
import { eventRoutes } from './feed-sse.js'
import type { Gates } from './gates.js'
import { principalOf, setPrincipal } from './principal.js'
import { probeRoutes } from './probe-routes.js'
import { requireScope, scopeOfRequest } from './required-scope.js'
import { endingRoutes, sessionRoutes, type SessionDeps } from './session-routes.js'
import { mediaRoutes, uploadRoutes } from './media-routes.js'
import { countRequests, Metrics, metricsRoutes, type Readings } from './metrics.js'
import { pageRoutes, securityHeaders } from './page-routes.js'
import { type PushDeps, pushRoutes } from './push-routes.js'
import { processRoutes } from './process-routes.js'
import { queueRoutes } from './queue-routes.js'
import { changesRoutes, repoRoutes, trustRoutes, type TrustDeps } from './repo-routes.js'
import { type StorageDeps, storageRoutes } from './storage-routes.js'
import { type TerminalDeps, terminalRoutes } from './terminal-routes.js'
import { transcriptRoutes } from './transcript-routes.js'
import { questionRoutes, turnRoutes } from './turn-routes.js'
import { wireRoutes } from './wire-routes.js'

const MAX_BODY = '1mb'

export type HttpDeps = SessionDeps &
  StorageDeps &
  TrustDeps &
  TerminalDeps &
  PushDeps &
  AccessDeps & {
    readonly acp: AcpEndpoint
    readonly agents: AgentRuntime
    readonly probes: Probes
    readonly repos: Repos
    readonly media: MediaStore
    readonly roots: readonly string[]
    readonly gates: Gates
    readonly version: string
    readonly webFolder: string
    readonly log: Log
  }

/** What answers the hub's requests; `socketCount` is for the metrics. */
export function createHttpApp(deps: HttpDeps, socketCount: () => number): Express {
  const app = express()
  app.disable('x-powered-by')
  const metrics = new Metrics(deps.version, () => readNow(deps, socketCount()))
  app.use(countRequests(metrics))
  app.use((request, _response, next) => {
    deps.gates.requireHost(request)
    next()
  })
  app.use(securityHeaders())
  addOpenRoutes(app, deps)
  app.use(requireAccess(deps))
  // The SDK reads the bodies of ACP itself.
  app.use('/acp', (request, response, next) => {
    if (request.path === '/') deps.acp.handle(request, response, principalOf(request).name)
    else next()
  })
  // Uploads are the one body that is not JSON.
  app.use('/api/media', uploadRoutes(deps.media))
  app.use(jsonBodies())
  addApi(app, deps)
  app.use('/metrics', metricsRoutes(metrics))
  app.use(() => {
    throw new HubError('not_found')
  })
  app.use(errorResponse(deps.log))
  return app
}

/** Credentials, and that they suffice. What they opened ends when they are revoked. */
function requireAccess({ gates, credentials }: HttpDeps): RequestHandler {
  return (request, response, next) => {
    const principal = gates.requirePrincipal(request)
    requireScope(principal, scopeOfRequest(request.method, request.path))
    setPrincipal(request, principal)
    const { credentialId } = principal
    if (credentialId !== undefined) {
      const forget = credentials.onRevoked(credentialId, () => {
        if (!response.writableEnded) response.destroy()
      })
      response.once('close', forget)
    }
    next()
  }
}

/** What a person without a sign-in may reach: no data of anybody. */
function addOpenRoutes(app: Express, { gates, signIn, version, webFolder }: HttpDeps): void {
  app.get('/api/health', (_request, response) => {
    response.json({ status: 'ok', version })
  })
  app.post('/api/login', loginLimit(), jsonBodies(), (request, response) => {
    gates.requireOwnOriginIfAny(request)
    const { code } = loginSchema.parse(request.body)
    response.setHeader(
      'Set-Cookie',
      signIn.redeemCode(code, deviceName(request.headers['user-agent'])),
    )
    response.status(204).end()
  })
  app.use(pageRoutes(webFolder))
}

function addApi(app: Express, deps: HttpDeps): void {
  const { repos, media } = deps
  app.use('/api', accessRoutes(deps))
  app.get('/api/repos', async (_request, response) => {
    response.json({ repos: await repos.list() })
  })
  app.post('/api/repos', async (request, response) => {
    const { path } = addRepoSchema.parse(request.body)
    const { repoId } = await repos.requireAround(path)
    response.json(await repos.require(repoId))
  })
  app.post('/api/repos/scan', async (_request, response) => {
    await repos.scan()
    response.json({ repos: await repos.list() })
  })
  app.get('/api/repos/:id', async (request, response) => {
    response.json(await repos.require(request.params.id))
  })
  app.use('/api/repos', repoRoutes(repos, deps.log))
  app.use('/api/repos', trustRoutes(deps))
  app.use('/api', docsRoutes(deps.version))
  app.use('/api/extensions', extensionRoutes(deps), probeRoutes(deps.probes))
  app.use('/api/extensions', agentSignInRoutes(deps))
  app.use('/api/sessions', sessionRoutes(deps), turnRoutes(deps), questionRoutes(deps))
  app.use('/api/sessions', queueRoutes(deps), eventRoutes(deps))
  app.use('/api/processes', processRoutes(deps))
  app.use('/api/storage', storageRoutes(deps))
  app.use('/api/sessions', endingRoutes(deps))
  app.use('/api/sessions', changesRoutes(deps), transcriptRoutes(deps), wireRoutes(deps))
  app.use('/api/terminals', terminalRoutes(deps))
  app.use('/api/push', pushRoutes(deps))
  app.use('/api/browse', browseRoutes(deps.roots, deps.log))
  app.use('/media', mediaRoutes(media))
}

/** What the hub does right now, for the metrics. */
function readNow({ sessions, eventLog, agents, acp }: HttpDeps, sockets: number): Readings {
  const { live } = sessions
  const sum = (count: (session: Session) => number): number =>
    live.reduce((total, session) => total + count(session), 0)
  return {
    activeSessions: live.length,
    runningTurns: sum((session) => Number(session.isWorking)),
    openPermissions: sum(({ decisions }) => decisions.permissions.size),
    openQuestions: sum(({ decisions }) => decisions.questions.size),
    sockets,
    acpClients: acp.clientCount,
    eventsAppended: eventLog.counts.appended,
    commitFailures: eventLog.counts.failedCommits,
    agents: agents.owner.measure(),
  }
}

/** Only JSON is taken: forms and plain text are what other sites can send without asking. */
function jsonBodies(): RequestHandler {
  const parse = express.json({ limit: MAX_BODY, strict: true })
  return (request, response, next) => {
    const hasBody = request.headers['transfer-encoding'] ?? request.headers['content-length']
    if (hasBody !== undefined && hasBody !== '0' && !request.is('application/json'))
      throw new HubError('unsupported_media_type')
    parse(request, response, next)
  }
}

function loginLimit(): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: 10,
    skipSuccessfulRequests: true,
    handler: () => {
      throw new HubError('too_many_attempts')
    },
  })
}
