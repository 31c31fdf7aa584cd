// The hub's connections to a terminal host: one for state and commands, and one for each follower of the output.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Terminal } from '@quayside/protocol'
import { type HostCommand, type HostFrame, readLines, toLine } from '../host/host-protocol.js'

export type OutputFrame = Exclude<HostFrame, { is: 'state' }>

const ANSWER_MS = 5_000
/** Limit of input that the program has not read yet. */
const MAX_WAITING_BYTES = 1024 * 1024

export class HostConnection {
  /** Resolves when the host has exited, or after `close`. */
  readonly closed: Promise<void>
  /** Resolves when the program has ended, or the connection is lost. */
  readonly exited: Promise<void>
  readonly #socket: Socket
  #state: HostFrame & { is: 'state' }
  #settle: () => void = () => {}

  /** Rejects when no host listens, or the host does not answer. */
  static async open(socketPath: string): Promise<HostConnection> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), ANSWER_MS)
    try {
      const socket = await connectTo(socketPath, late.signal)
      const frames = readFrames(socket)
      const { value: first } = await frames.next()
      if (first?.is !== 'state') throw new Error('The terminal host does not answer.')
      return new HostConnection(socket, first, frames)
    } finally {
      clearTimeout(timer)
    }
  }

  private constructor(
    socket: Socket,
    first: HostFrame & { is: 'state' },
    frames: AsyncGenerator<HostFrame, void>,
  ) {
    this.#socket = socket
    this.#state = first
    this.exited = new Promise((resolve) => (this.#settle = resolve))
    if (first.terminal.exit !== null) this.#settle()
    this.closed = this.#listen(frames)
  }

  get terminal(): Terminal {
    return this.#state.terminal
  }

  /** True while too much input waits for the program. */
  get isBusy(): boolean {
    return this.#socket.writableLength > MAX_WAITING_BYTES
  }

  send(command: HostCommand): void {
    this.#socket.write(toLine(command))
  }

  /** Disconnects from the host, which keeps running. */
  close(): void {
    this.#socket.destroy()
  }

  /** For a host that does not answer. Until `closed` resolves it is alive, so its pid cannot have been reused. */
  kill(): void {
    try {
      process.kill(this.#state.hostPid, 'SIGKILL')
    } catch {
      // It has just exited.
    }
  }

  async #listen(frames: AsyncGenerator<HostFrame, void>): Promise<void> {
    try {
      for await (const frame of frames) {
        if (frame.is !== 'state') continue
        this.#state = frame
        if (frame.terminal.exit !== null) this.#settle()
      }
    } catch {
      // A broken connection is handled as a closed one.
    } finally {
      this.#settle()
      this.#socket.destroy()
    }
  }
}

/**
 * Yields the output after an offset, then the exit. Reads the next piece only on demand, so that the output for a slow
 * reader stays in the host, which skips what it no longer keeps.
 */
export async function* followHost(
  socketPath: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<OutputFrame, void> {
  try {
    const socket = await connectTo(socketPath, signal)
    socket.write(toLine({ do: 'follow', after }))
    for await (const frame of readFrames(socket)) {
      if (frame.is === 'state') continue
      yield frame
      if (frame.is === 'exited') return
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error
  }
  // The host was killed from outside, so the exit of its program is unknown.
  if (!signal.aborted) yield { is: 'exited', exit: null }
}

/** Aborting the signal closes the connection, also while it is being made. */
async function connectTo(path: string, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ path, signal })
  // Rejects pending reads too.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function* readFrames(socket: Socket): AsyncGenerator<HostFrame, void> {
  for await (const line of readLines(socket)) yield JSON.parse(line) as HostFrame
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.name === 'AbortError')
}

/** True when no host listens: the socket is missing or refuses connections. */
export function isUnreachable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOENT'
}
