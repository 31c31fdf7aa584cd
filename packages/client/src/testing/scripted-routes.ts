// The REST routes of the scripted hub: those that the client's own methods need.
import type { ContentBlock } from '@quayside/protocol'
import { ClientError } from '../client-error.js'
import type { ScriptedAnswer, ScriptedHub, ScriptedRequest } from './scripted-hub.js'
import { USER, type ScriptedSession } from './scripted-session.js'

export function answerRequest(hub: ScriptedHub, request: ScriptedRequest): ScriptedAnswer {
  const { pathname, searchParams } = new URL(request.path, hub.url)
  const [, , collection, id, what, which] = pathname.split('/').map(decodeURIComponent)
  if (collection !== 'sessions') return answerHub(hub, request, pathname)
  if (id === undefined)
    return request.method === 'POST' ? create(hub, request) : list(hub, searchParams)
  const session = hub.requireSession(id)
  if (what !== undefined) return answerSession(session, request, { what, which, searchParams })
  if (request.method === 'PATCH') session.change(request.body as object)
  if (request.method === 'DELETE') session.end('cancelled')
  if (searchParams.get('purge') === 'true') hub.removeSession(id)
  if (request.method !== 'GET') return { body: session.summary }
  const repo = hub.repos.find((repo) => repo.id === session.summary.repoId)
  return { body: { ...session.summary, repo, messages: [] } }
}

function answerHub(hub: ScriptedHub, { method }: ScriptedRequest, path: string): ScriptedAnswer {
  switch (`${method} ${path}`) {
    case 'GET /api/health':
      return { body: { status: 'ok', version: 'scripted' } }
    case 'GET /api/me':
      return { body: { name: USER, scope: 'admin' } }
    case 'POST /api/login':
    case 'POST /api/logout':
      return { status: 204 }
    case 'GET /api/repos':
    case 'POST /api/repos/scan':
      return { body: { repos: hub.repos } }
    case 'GET /api/extensions':
      return { body: { extensions: hub.extensions } }
    default:
      throw notScripted(method, path)
  }
}

function create(hub: ScriptedHub, { body }: ScriptedRequest): ScriptedAnswer {
  const { title } = body as { title?: string }
  const { summary } = hub.addSession(title === undefined ? {} : { title })
  return { status: 201, body: summary }
}

function list(hub: ScriptedHub, wanted: URLSearchParams): ScriptedAnswer {
  const statuses = wanted.get('status')?.split(',')
  const sessions = [...hub.sessions.values()]
    .map(({ summary }) => summary)
    .filter(({ status }) => statuses?.includes(status) ?? true)
    .toReversed()
  return { body: { sessions, total: sessions.length, limit: 20, offset: 0 } }
}

type Place = {
  readonly what: string
  readonly which: string | undefined
  readonly searchParams: URLSearchParams
}

function answerSession(
  session: ScriptedSession,
  { method, body }: ScriptedRequest,
  { what, which, searchParams }: Place,
): ScriptedAnswer {
  switch (`${method} ${what}`) {
    case 'POST prompt': {
      const { prompt, id } = body as { prompt: ContentBlock[]; id: string }
      return { status: 202, body: session.prompt(prompt, id) }
    }
    case 'POST cancel':
      session.cancel()
      return { body: session.summary }
    case 'POST complete':
      session.end('completed')
      return { body: session.summary }
    case 'POST resume':
      session.resume()
      return { body: session.summary }
    case 'GET permissions':
      return { body: { permissions: session.permissions } }
    case 'POST permissions':
      return { body: session.answer(which ?? '', body as { optionId?: string }) }
    case 'GET changes':
      // A script touches no file.
      return { body: { is: 'gone' } }
    case 'GET timeline':
      return { body: session.timeline(numberIn(searchParams, 'before')) }
    case 'GET events': {
      const events = session.log.slice(numberIn(searchParams, 'after') ?? 0)
      return { body: { events, lastSeq: session.log.length } }
    }
    case 'GET queue':
    case 'PATCH queue':
    case 'DELETE queue':
      changeQueue(session, { method, turnId: which, change: body as QueueRequest })
      return { body: { queue: session.queue } }
    default:
      throw notScripted(method, what)
  }
}

type QueueRequest = {
  readonly now?: true
  readonly prompt?: readonly ContentBlock[]
  readonly before?: string | null
}

function changeQueue(
  session: ScriptedSession,
  { method, turnId, change }: { method: string; turnId: string | undefined; change: QueueRequest },
): void {
  const named = turnId === undefined ? session.queue.map((turn) => turn.turnId) : [turnId]
  if (method === 'DELETE') for (const id of named) session.removeQueued(id)
  if (method !== 'PATCH' || turnId === undefined) return
  if (change.now) session.sendNow(turnId)
  else session.editQueued(turnId, change)
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  return value === null ? undefined : Number(value)
}

function notScripted(method: string, path: string): ClientError {
  return new ClientError(
    'not_found',
    `The scripted hub has no ${method} ${path}; set one in \`routes\`.`,
  )
}
