// The hub's end of a terminal's host: one connection that knows its state and commands it, and one for each who follows.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Terminal } from '@quayside/protocol'
import { type HostCommand, type HostFrame, readLines, toLine } from './host-protocol.js'

export type OutputFrame = Exclude<HostFrame, { is: 'state' }>

const ANSWER_MS = 5_000
/** What waits for a program that does not read. */
const MAX_WAITING_BYTES = 1024 * 1024

export class HostConnection {
  /** Resolves when the host has gone, or after `close`. */
  readonly closed: Promise<void>
  /** Resolves when the program has ended, or nobody can tell any more. */
  readonly exited: Promise<void>
  readonly #socket: Socket
  #state: HostFrame & { is: 'state' }
  #settle: () => void = () => {}

  /** Rejects when nobody listens or the host says nothing. */
  static async open(socketPath: string): Promise<HostConnection> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), ANSWER_MS)
    try {
      const socket = await connectTo(socketPath, late.signal)
      const frames = readFrames(socket)
      const { value: first } = await frames.next()
      if (first?.is !== 'state') throw new Error('The host of a terminal does not answer.')
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
    this.closed = this.#listen(frames)
  }

  get terminal(): Terminal {
    return this.#state.terminal
  }

  /** The program has not read what was sent to it, and that is a lot. */
  get isBusy(): boolean {
    return this.#socket.writableLength > MAX_WAITING_BYTES
  }

  send(command: HostCommand): void {
    this.#socket.write(toLine(command))
  }

  /** Lets go of the host, which goes on. */
  close(): void {
    this.#socket.destroy()
  }

  /** For a host that does not answer. As long as this is not `closed` it is there, and its pid is nobody else's. */
  kill(): void {
    try {
      process.kill(this.#state.hostPid, 'SIGKILL')
    } catch {
      // Gone in this moment.
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
      // A connection that breaks is one that ends.
    } finally {
      this.#settle()
      this.#socket.destroy()
    }
  }
}

/**
 * The output after an offset as it comes, then the end. The next piece is read only when it is asked for, so a slow
 * reader leaves everything with the host, which skips what it no longer keeps.
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
  // The host was ended from outside, and nobody knows how its program fared.
  if (!signal.aborted) yield { is: 'exited', exit: null }
}

/** When the signal aborts, the connection is gone, before and after it was made. */
async function connectTo(path: string, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ path, signal })
  // Whoever reads or waits hears of it too.
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

/** The host has gone, with its socket or without. */
export function isNobodyThere(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOENT'
}
