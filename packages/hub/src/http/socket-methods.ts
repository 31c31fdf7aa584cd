// The commands of the WebSocket: the same functions as the REST routes, by JSON-RPC method.
import {
  promptBlocks,
  type SocketMethod,
  socketParamsSchemas as schemas,
} from '@quayside/protocol/schemas'
import type { RpcMethod } from './feed-socket.js'
import type { SessionParts } from './session-routes.js'
import { terminalMethods, type TerminalSocketParts } from './terminal-socket.js'
import { permissionOutcome } from './turn-routes.js'

export function socketMethods(
  parts: SessionParts & TerminalSocketParts,
  by: string,
): ReadonlyMap<string, RpcMethod> {
  const { sessions, reader } = parts
  const methods: Record<SocketMethod, RpcMethod> = {
    'session/new': async (params) => {
      const session = await sessions.create({ ...schemas['session/new'].parse(params), by })
      return reader.requireSummary(session.id)
    },
    'session/prompt': async (params) => {
      const wish = schemas['session/prompt'].parse(params)
      const session = await sessions.requireActive(wish.sessionId)
      return session.prompt(promptBlocks(wish), by, wish.id)
    },
    'session/cancel': async (params) => {
      const { sessionId } = schemas['session/cancel'].parse(params)
      const session = await sessions.requireActive(sessionId)
      await session.cancel()
    },
    'session/follow': async (params, socket) => {
      const { sessionId, after } = schemas['session/follow'].parse(params)
      await reader.requireSummary(sessionId)
      return socket.follow(sessionId, after ?? 0)
    },
    'session/unfollow': (params, socket) =>
      socket.unfollow(schemas['session/unfollow'].parse(params).sessionId),
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
    ...terminalMethods(parts),
  }
  return new Map(Object.entries(methods))
}
