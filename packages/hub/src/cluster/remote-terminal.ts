// The output of a running command of an agent at another hub, over a WebSocket of its own.
import type { HubNotification } from '@quayside/protocol'
import type { HubRow } from '../store/cluster-store.js'
import type { OutputPiece } from '../terminals/output-tail.js'
import type { KnownHubs } from './known-hubs.js'
import { PeerSocket } from './peer-socket.js'
import type { PeerCaller } from './peers.js'

export type RemoteTerminal = {
  readonly hub: HubRow
  readonly hubs: KnownHubs
  readonly caller: PeerCaller
  readonly sessionId: string
  readonly terminalId: string
}

/** Ends with the command, and without an error when the other hub cannot be reached: the log gets the whole output at its end. */
export async function* watchRemoteTerminal(
  { hub, hubs, caller, sessionId, terminalId }: RemoteTerminal,
  signal: AbortSignal,
): AsyncGenerator<OutputPiece> {
  const over = new AbortController()
  const closed = AbortSignal.any([signal, over.signal])
  // A piece is taken when the reader asks for it, and the other hub sends the next one after that.
  const pieces = new TransformStream<OutputPiece, OutputPiece>()
  const writer = pieces.writable.getWriter()
  writer.closed.catch(() => undefined)
  const end = (): void => void writer.close().catch(() => undefined)
  const notify = async ({ method, params }: HubNotification): Promise<void> => {
    if (method === 'terminal/exited') return end()
    if (method !== 'terminal/output') return
    const { data, next, skippedBytes } = params
    await writer.write({ text: data, next, skippedBytes }).catch(() => undefined)
  }
  closed.addEventListener('abort', end)
  try {
    const socket = new PeerSocket(hub, { ...caller, closed, notify, drop: end }, hubs)
    socket.call('terminal/watch', { sessionId, terminalId }).catch(end)
    yield* pieces.readable
  } finally {
    over.abort()
  }
}
