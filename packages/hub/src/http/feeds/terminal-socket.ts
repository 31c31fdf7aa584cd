// Sends the output of terminals over a socket: people's terminals, and the commands of agents.
import { setImmediate } from 'node:timers/promises'
import type { TerminalExit, TerminalPiece } from '@quayside/protocol'
import type { Handlers, terminalFeedCommands } from '@quayside/protocol/schemas'
import type { ApiDeps } from '../../api/room.js'
import { HubError } from '../../errors.js'
import { logRejection } from '../../log.js'
import type { AgentTerminals, Watch } from '../../terminals/agents/agent-terminals.js'
import type { PeopleTerminals } from '../../terminals/people/people-terminals.js'
import { TerminalError } from '../../terminals/terminal-error.js'
import type { FeedSocket } from './feed-socket.js'

type Frames =
  | ReturnType<PeopleTerminals['follow']>
  | AsyncGenerator<({ is: 'output' } & TerminalPiece) | { is: 'exited'; exit: TerminalExit }>

/** A socket follows each terminal at most once. */
export function terminalFeeds({
  terminals,
  live,
  log,
}: ApiDeps): Handlers<typeof terminalFeedCommands, FeedSocket> {
  const followed = new WeakMap<FeedSocket, Map<string, AbortController>>()
  const unfollow = (socket: FeedSocket, terminalId: string): void => {
    followed.get(socket)?.get(terminalId)?.abort()
    followed.get(socket)?.delete(terminalId)
  }
  const send = (socket: FeedSocket, terminalId: string, open: (signal: AbortSignal) => Frames) => {
    unfollow(socket, terminalId)
    const follow = new AbortController()
    const frames = open(AbortSignal.any([follow.signal, socket.closed]))
    followed.set(socket, (followed.get(socket) ?? new Map()).set(terminalId, follow))
    logRejection(log, 'sending a terminal', sendFrames(socket, terminalId, frames))
  }
  return {
    'terminal/follow': ({ terminalId, after = 0 }, socket) => {
      const terminal = terminals.require(terminalId)
      send(socket, terminalId, (signal) => terminals.follow(terminalId, after, signal))
      return terminal
    },
    'terminal/watch': ({ sessionId, terminalId, after = 0 }, socket) => {
      const ofAgent = live.find(sessionId)?.terminals
      send(socket, terminalId, (signal) => watched(ofAgent, terminalId, { after, signal }))
    },
    'terminal/unfollow': ({ terminalId }, socket) => unfollow(socket, terminalId),
  }
}

/** Of an agent's command. Throws `terminal_not_found` when it was released: its output is then an event of the session. */
function watched(
  terminals: AgentTerminals | undefined,
  terminalId: string,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Frames {
  try {
    if (terminals === undefined) throw new TerminalError('not_found', 'No agent is there.')
    return framesOf(terminals.watch(terminalId, signal, after))
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    throw new HubError('terminal_not_found', { terminalId }, { cause: error })
  }
}

async function* framesOf(pieces: Watch): Frames {
  // The answer to the request goes first.
  await setImmediate()
  let piece = await pieces.next()
  for (; !piece.done; piece = await pieces.next()) {
    const { text, next, skippedBytes } = piece.value
    yield { is: 'output', offset: next - Buffer.byteLength(text), next, data: text, skippedBytes }
  }
  if (piece.value) yield { is: 'exited', exit: piece.value }
}

/** The next frame is taken only when this one has left: a slow client is behind, it costs no memory. */
async function sendFrames(socket: FeedSocket, terminalId: string, frames: Frames): Promise<void> {
  for await (const frame of frames) {
    if (frame.is === 'output') {
      const { is: _, ...piece } = frame
      await socket.notify({ method: 'terminal/output', params: { terminalId, ...piece } })
    } else {
      const params = { terminalId, exit: frame.exit }
      await socket.notify({ method: 'terminal/exited', params })
    }
  }
}
