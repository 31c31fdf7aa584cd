// Everything over HTTP: the gates, then public routes and the page, then the commands that need a sign-in.
import express, { type Express, type RequestHandler } from 'express'
import type { AcpEndpoint } from '../acp/acp-endpoint.js'
import type { Api } from '../api/api.js'
import { HubError } from '../errors.js'
import { COMMAND } from '../places.js'
import type { Session } from '../sessions/live/session.js'
import { whenReady } from '../store/maybe-promise.js'
import { cors, type Gates } from './access/gates.js'
import { callerOf, requireScope, setCaller } from './access/principal.js'
import { docs } from './docs/docs-page.js'
import { errorResponse } from './error-response.js'
import type { Forwarding } from './forwarding.js'
import { events } from './feeds/feed-sse.js'
import { media } from './raw/media.js'
import { countRequests, Metrics, type Readings, sendMetrics } from './raw/metrics.js'
import { pageRoutes, securityHeaders } from './raw/page.js'
import type { Raw, RawDeps } from '../api/room.js'
import { reading } from './raw/reading.js'
import { wire } from './raw/wire.js'
import { restRoutes } from './rest.js'

/** Those of Streamable HTTP. */
const ACP_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE'])

export type HttpDeps = RawDeps & {
  readonly api: Api
  readonly acp: AcpEndpoint
  readonly gates: Gates
  /** Undefined when the hub has its database to itself. */
  readonly forwarding: Forwarding | undefined
  readonly webFolder: string
}

/** The app that answers the hub's requests; `socketCount` is for the metrics. */
export function createHttpApp(deps: HttpDeps, socketCount: () => number): Express {
  const { api, acp, gates, webFolder, forwarding } = deps
  const app = express()
  app.disable('x-powered-by')
  const metrics = new Metrics(deps.version, () => readNow(deps, socketCount()))
  const raw = createRaw(deps, metrics)
  app.use(countRequests(metrics))
  app.use((request, _response, next) => {
    gates.requireHost(request)
    next()
  })
  app.use(securityHeaders())
  app.use(cors(gates))
  app.use(restRoutes({ api, raw }, 'public'))
  app.use(pageRoutes(webFolder))
  app.use(requireAccess(deps))
  // ACP has a table of its own, the SDK reads its bodies, and an ACP client commands sessions.
  app.use('/acp', (request, response, next) => {
    if (request.path !== '/' || !ACP_METHODS.has(request.method)) return next()
    const caller = callerOf(request)
    requireScope(caller, 'write')
    acp.handle(request, response, caller.by)
  })
  app.use(restRoutes({ api, raw, forwarding }, 'signed-in'))
  app.use((request) => {
    requireScope(callerOf(request), 'admin')
    throw new HubError('not_found')
  })
  app.use(errorResponse(deps.log))
  return app
}

/** Identifies the caller. Its open responses end when its credentials are revoked. */
function requireAccess({ gates, credentials }: HttpDeps): RequestHandler {
  return (request, response, next) => {
    // Express waits for a promise, and passes an error on.
    return whenReady(gates.requireCaller(request), (caller) => {
      setCaller(request, caller)
      const { credentialId } = caller
      if (credentialId !== undefined) {
        const forget = credentials.onRevoked(credentialId, () => {
          if (!response.writableEnded) response.destroy()
        })
        response.once('close', forget)
      }
      next()
    })
  }
}

/** The commands that answer by themselves. */
function createRaw(deps: HttpDeps, metrics: Metrics): Raw {
  const { gates, signIn, version } = deps
  return {
    ...docs(version),
    ...events(deps),
    ...media(deps.media),
    ...reading(deps),
    ...wire(deps),
    'hub/health': (_input, { response }) =>
      void response.json({ status: 'ok', version, command: COMMAND }),
    'hub/metrics': (_input, { response }) => sendMetrics(metrics, response),
    'access/login': async ({ code }, { request, response }) => {
      gates.requireOwnOriginIfAny(request)
      response.setHeader('Set-Cookie', await signIn.redeemCode(code, request.headers))
      response.status(204).end()
    },
    'access/logout': async (_input, { request, response }) => {
      response.setHeader('Set-Cookie', await signIn.signOut(request.headers))
      response.status(204).end()
    },
  }
}

/** The hub's current numbers, for the metrics. */
function readNow({ live, eventLog, agents, acp }: HttpDeps, sockets: number): Readings {
  const sum = (count: (session: Session) => number): number =>
    live.all.reduce((total, session) => total + count(session), 0)
  return {
    activeSessions: live.all.length,
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
