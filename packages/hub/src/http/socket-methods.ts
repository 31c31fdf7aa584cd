// The commands of the WebSocket: the same functions as the REST routes, by JSON-RPC method.
import {
  promptBlocks,
  type SocketMethod,
  socketParamsSchemas as schemas,
} from '@quayside/protocol/schemas'
import type { FeedSocket, RpcMethod } from './feed-socket.js'
import type { FollowRanges } from '../sessions/log/follow-ranges.js'
import type { VisiblePages } from '../push/visible-pages.js'
import { clearQueue, queueEdit, queueOf, readQueue } from './queue-routes.js'
import { deleteSession, type SessionDeps } from './session-routes.js'
import { SessionWatch, type SessionWatchDeps } from './session-watch.js'
import { terminalMethods, type TerminalSocketDeps } from './terminal-socket.js'
import { permissionOutcome } from './turn-routes.js'

export type SocketDeps = SessionDeps &
  SessionWatchDeps &
  TerminalSocketDeps & { readonly ranges: FollowRanges; readonly visiblePages: VisiblePages }

/** The same for all sockets: what is one's own is kept by the socket. */
export function socketMethods(deps: SocketDeps): ReadonlyMap<string, RpcMethod> {
  const methods: Record<SocketMethod, RpcMethod> = {
    ...sessionMethods(deps),
    ...turnMethods(deps),
    ...queueMethods(deps),
    ...feedMethods(deps),
    ...terminalMethods(deps),
    ...pageMethods(deps),
  }
  return new Map(Object.entries(methods))
}

function sessionMethods(deps: SessionDeps) {
  const { sessions, reader } = deps
  return {
    'session/new': async (params, { by }) => {
      const session = await sessions.create({ ...schemas['session/new'].parse(params), by })
      return reader.requireSummary(session.id)
    },
    'session/change': async (params, { by }) => {
      const { sessionId, ...change } = schemas['session/change'].parse(params)
      await sessions.change(sessionId, change, by)
      return reader.requireSummary(sessionId)
    },
    'session/resume': async (params, { by }) => {
      const { sessionId } = schemas['session/resume'].parse(params)
      await sessions.resume(sessionId, by)
      return reader.requireSummary(sessionId)
    },
    'session/complete': async (params, { by }) => {
      const { sessionId } = schemas['session/complete'].parse(params)
      await sessions.end(sessionId, 'completed', by)
      return reader.requireSummary(sessionId)
    },
    'session/delete': (params, { by }) => {
      const { sessionId, purge = false } = schemas['session/delete'].parse(params)
      return deleteSession(deps, sessionId, { purge, by })
    },
  } satisfies Methods
}

function turnMethods({ sessions }: SessionDeps) {
  return {
    'session/prompt': async (params, { by }) => {
      const wish = schemas['session/prompt'].parse(params)
      const session = await sessions.requireActive(wish.sessionId)
      return session.prompt(promptBlocks(wish), by, wish.id)
    },
    'session/cancel': async (params, { by }) => {
      const { sessionId, ...wish } = schemas['session/cancel'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.cancel({ ...wish, by })
    },
    'permission/answer': async (params, { by }) => {
      const { sessionId, permissionId, ...answer } = schemas['permission/answer'].parse(params)
      const session = await sessions.requireActive(sessionId)
      return session.decisions.permissions.answer(permissionId, permissionOutcome(answer), by)
    },
    'question/answer': async (params, { by }) => {
      const { sessionId, questionId, ...answer } = schemas['question/answer'].parse(params)
      const session = await sessions.requireActive(sessionId)
      return session.decisions.questions.answer(questionId, answer, by)
    },
    'option/set': async (params, { by }) => {
      const { sessionId, optionId, value } = schemas['option/set'].parse(params)
      const session = await sessions.requireActive(sessionId)
      return session.setOption(optionId, value, by)
    },
  } satisfies Methods
}

function queueMethods(deps: SessionDeps) {
  const { sessions } = deps
  return {
    'session/queue': async (params) => {
      const { sessionId } = schemas['session/queue'].parse(params)
      return { queue: await readQueue(deps, sessionId) }
    },
    'queue/edit': async (params, { by }) => {
      const { sessionId, turnId, ...edit } = schemas['queue/edit'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.editQueued(turnId, queueEdit(edit), by)
      return { queue: queueOf(session) }
    },
    'queue/remove': async (params, { by }) => {
      const { sessionId, turnId } = schemas['queue/remove'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.removeQueued(turnId, by)
      return { queue: queueOf(session) }
    },
    'queue/clear': async (params, { by }) => {
      const { sessionId } = schemas['queue/clear'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await clearQueue(session, by)
      return { queue: queueOf(session) }
    },
  } satisfies Methods
}

function feedMethods(deps: SocketDeps) {
  const { reader, ranges } = deps
  const watches = new WeakMap<FeedSocket, SessionWatch>()
  return {
    'session/follow': async (params, socket) => {
      const { sessionId, ...wish } = schemas['session/follow'].parse(params)
      await reader.requireSummary(sessionId)
      return socket.follow(sessionId, await ranges.resolve(sessionId, wish))
    },
    'session/unfollow': (params, socket) =>
      socket.unfollow(schemas['session/unfollow'].parse(params).sessionId),
    'sessions/watch': (params, socket) => {
      schemas['sessions/watch'].parse(params)
      if (!watches.has(socket)) watches.set(socket, new SessionWatch(socket, deps))
    },
  } satisfies Methods
}

function pageMethods({ visiblePages }: SocketDeps) {
  const watched = new WeakSet<FeedSocket>()
  return {
    'page/visible': (params, socket) => {
      const { visible } = schemas['page/visible'].parse(params)
      const { credentialId } = socket
      // The tokens that live as long as the hub have no device that could be told anything.
      if (credentialId === undefined) return
      visiblePages.set(credentialId, socket, visible)
      if (watched.has(socket)) return
      watched.add(socket)
      socket.closed.addEventListener('abort', () => visiblePages.set(credentialId, socket, false))
    },
  } satisfies Methods
}

type Methods = Partial<Record<SocketMethod, RpcMethod>>
