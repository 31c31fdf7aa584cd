// The commands of the WebSocket: the same functions as the REST routes, by JSON-RPC method.
import {
  promptBlocks,
  type SocketMethod,
  socketParamsSchemas as schemas,
} from '@quayside/protocol/schemas'
import type { RpcMethod } from './feed-socket.js'
import type { FollowRanges } from '../sessions/follow-ranges.js'
import type { VisiblePages } from '../push/visible-pages.js'
import { clearQueue, queueEdit, queueOf } from './queue-routes.js'
import { deleteSession, type SessionParts } from './session-routes.js'
import { SessionWatch, type SessionWatchParts } from './session-watch.js'
import type { Principal } from './sign-in.js'
import { terminalMethods, type TerminalSocketParts } from './terminal-socket.js'
import { permissionOutcome } from './turn-routes.js'

export type SocketParts = SessionParts &
  SessionWatchParts &
  TerminalSocketParts & { readonly ranges: FollowRanges; readonly visiblePages: VisiblePages }

/** Of one socket. */
export function socketMethods(
  parts: SocketParts,
  { name: by, credentialId }: Principal,
): ReadonlyMap<string, RpcMethod> {
  const methods: Record<SocketMethod, RpcMethod> = {
    ...sessionMethods(parts, by),
    ...turnMethods(parts, by),
    ...queueMethods(parts, by),
    ...feedMethods(parts),
    ...terminalMethods(parts),
    ...pageMethods(parts, credentialId),
  }
  return new Map(Object.entries(methods))
}

function sessionMethods(parts: SessionParts, by: string) {
  const { sessions, reader } = parts
  return {
    'session/new': async (params) => {
      const session = await sessions.create({ ...schemas['session/new'].parse(params), by })
      return reader.requireSummary(session.id)
    },
    'session/change': async (params) => {
      const { sessionId, ...change } = schemas['session/change'].parse(params)
      await sessions.change(sessionId, change, by)
      return reader.requireSummary(sessionId)
    },
    'session/resume': async (params) => {
      const { sessionId } = schemas['session/resume'].parse(params)
      await sessions.resume(sessionId, by)
      return reader.requireSummary(sessionId)
    },
    'session/complete': async (params) => {
      const { sessionId } = schemas['session/complete'].parse(params)
      await sessions.end(sessionId, 'completed', by)
      return reader.requireSummary(sessionId)
    },
    'session/delete': (params) => {
      const { sessionId, purge = false } = schemas['session/delete'].parse(params)
      return deleteSession(parts, sessionId, { purge, by })
    },
  } satisfies Methods
}

function turnMethods({ sessions }: SessionParts, by: string) {
  return {
    'session/prompt': async (params) => {
      const wish = schemas['session/prompt'].parse(params)
      const session = await sessions.requireActive(wish.sessionId)
      return session.prompt(promptBlocks(wish), by, wish.id)
    },
    'session/cancel': async (params) => {
      const { sessionId, turnId } = schemas['session/cancel'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.cancel(turnId)
    },
    'permission/answer': async (params) => {
      const { sessionId, permissionId, ...answer } = schemas['permission/answer'].parse(params)
      const session = await sessions.requireActive(sessionId)
      return session.decisions.permissions.answer(permissionId, permissionOutcome(answer), by)
    },
    'question/answer': async (params) => {
      const { sessionId, questionId, ...answer } = schemas['question/answer'].parse(params)
      const session = await sessions.requireActive(sessionId)
      return session.decisions.questions.answer(questionId, answer, by)
    },
    'option/set': async (params) => {
      const { sessionId, optionId, value } = schemas['option/set'].parse(params)
      const session = await sessions.requireActive(sessionId)
      return session.setOption(optionId, value, by)
    },
  } satisfies Methods
}

function queueMethods({ sessions, reader }: SessionParts, by: string) {
  return {
    'session/queue': async (params) => {
      const { sessionId } = schemas['session/queue'].parse(params)
      await reader.requireSummary(sessionId)
      return { queue: queueOf(sessions.findLive(sessionId)) }
    },
    'queue/edit': async (params) => {
      const { sessionId, turnId, ...edit } = schemas['queue/edit'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.editQueued(turnId, queueEdit(edit))
      return { queue: queueOf(session) }
    },
    'queue/remove': async (params) => {
      const { sessionId, turnId } = schemas['queue/remove'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.removeQueued(turnId, by)
      return { queue: queueOf(session) }
    },
    'queue/clear': async (params) => {
      const { sessionId } = schemas['queue/clear'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await clearQueue(session, by)
      return { queue: queueOf(session) }
    },
  } satisfies Methods
}

function feedMethods(parts: SocketParts) {
  const { reader, ranges } = parts
  let watch: SessionWatch | undefined
  return {
    'session/follow': async (params, socket) => {
      const { sessionId, ...wish } = schemas['session/follow'].parse(params)
      await reader.requireSummary(sessionId)
      return socket.follow(sessionId, ranges.resolve(sessionId, wish))
    },
    'session/unfollow': (params, socket) =>
      socket.unfollow(schemas['session/unfollow'].parse(params).sessionId),
    'sessions/watch': (params, socket) => {
      schemas['sessions/watch'].parse(params)
      watch ??= new SessionWatch(socket, parts)
    },
  } satisfies Methods
}

function pageMethods({ visiblePages }: SocketParts, credentialId: string | undefined) {
  let isWatched = false
  return {
    'page/visible': (params, socket) => {
      const { visible } = schemas['page/visible'].parse(params)
      // The tokens that live as long as the hub have no device that could be told anything.
      if (credentialId === undefined) return
      visiblePages.set(credentialId, socket, visible)
      if (isWatched) return
      isWatched = true
      socket.closed.addEventListener('abort', () => visiblePages.set(credentialId, socket, false))
    },
  } satisfies Methods
}

type Methods = Partial<Record<SocketMethod, RpcMethod>>
