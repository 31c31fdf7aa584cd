// The part of the WebSocket for people's terminals: output as it comes, keys as they are typed.
import { type TerminalMethod, terminalParamsSchemas as schemas } from '@quayside/protocol/schemas'
import { type Log, logRejection } from '../log.js'
import type { PeopleTerminals } from '../terminals/people-terminals.js'
import type { FeedSocket, RpcMethod } from './feed-socket.js'

export type TerminalSocketParts = { readonly terminals: PeopleTerminals; readonly log: Log }

/** A socket follows each terminal at most once. */
export function terminalMethods({
  terminals,
  log,
}: TerminalSocketParts): Record<TerminalMethod, RpcMethod> {
  const followed = new WeakMap<FeedSocket, Map<string, AbortController>>()
  const unfollow = (socket: FeedSocket, terminalId: string): void => {
    followed.get(socket)?.get(terminalId)?.abort()
    followed.get(socket)?.delete(terminalId)
  }
  return {
    'terminal/follow': (params, socket) => {
      const { terminalId, after = 0 } = schemas['terminal/follow'].parse(params)
      const terminal = terminals.require(terminalId)
      unfollow(socket, terminalId)
      const follow = new AbortController()
      followed.set(socket, (followed.get(socket) ?? new Map()).set(terminalId, follow))
      const signal = AbortSignal.any([follow.signal, socket.closed])
      const frames = terminals.follow(terminalId, after, signal)
      logRejection(log, 'sending a terminal', sendFrames(socket, terminalId, frames))
      return terminal
    },
    'terminal/unfollow': (params, socket) =>
      unfollow(socket, schemas['terminal/unfollow'].parse(params).terminalId),
    'terminal/input': (params) => {
      const { terminalId, data } = schemas['terminal/input'].parse(params)
      terminals.write(terminalId, data)
    },
    'terminal/resize': (params) => {
      const { terminalId, ...size } = schemas['terminal/resize'].parse(params)
      terminals.resize(terminalId, size)
    },
    'terminal/close': (params) => terminals.end(schemas['terminal/close'].parse(params).terminalId),
  }
}

/** The next frame is taken only when this one has left: a slow client is behind, it costs no memory. */
async function sendFrames(
  socket: FeedSocket,
  terminalId: string,
  frames: ReturnType<PeopleTerminals['follow']>,
): Promise<void> {
  for await (const { is, ...frame } of frames) {
    const method = is === 'output' ? 'terminal/output' : 'terminal/exited'
    await socket.notify(method, { terminalId, ...frame })
  }
}
