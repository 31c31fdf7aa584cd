// A pseudoterminal with a program in it: node-pty, with its reading and writing put right.
import { readSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPty } from '@lydell/node-pty'

export type PtyExit = { readonly exitCode: number | null; readonly signal: string | null }

export type PtyEvents = {
  readonly onOutput: (chunk: Buffer) => void
  /** After the last output. */
  readonly onExit: (exit: PtyExit) => void
}

/** What a UnixTerminal of node-pty 1.1 has and does not declare. */
type UnixPty = IPty & { readonly fd: number; readonly _socket: Socket }

const RETRY_MS = 5
const READ_BYTES = 64 * 1024
/** More than a kernel keeps; whatever still prints does not hold us up. */
const MAX_REST_BYTES = 1024 * 1024

export class Pty {
  readonly #pty: IPty
  readonly #fd: number
  readonly #socket: Socket

  constructor(pty: IPty, { onOutput, onExit }: PtyEvents) {
    const { fd, _socket: socket } = pty as UnixPty
    this.#pty = pty
    this.#fd = fd
    this.#socket = socket
    // node-pty tells the kernel to erase whole characters only when it may decode them. Bytes are wanted here, and this keeps them.
    socket.setEncoding('latin1')
    pty.onData((bytes) => onOutput(Buffer.from(bytes, 'latin1')))
    const close = socket.destroy.bind(socket)
    socket.destroy = (error) => {
      if (this.#isOpen) this.#readRest(onOutput)
      return close(error)
    }
    pty.onExit(({ exitCode, signal }) =>
      onExit(
        signal ? { exitCode: null, signal: nameOfSignal(signal) } : { exitCode, signal: null },
      ),
    )
  }

  get pid(): number {
    return this.#pty.pid
  }

  /**
   * Resolves when the program can read all of it, or has ended. Not by `pty.write`: that spins inside of libuv until the
   * PTY takes everything, and when the program waits for its output to be read meanwhile, both wait for ever.
   */
  async write(text: string): Promise<void> {
    for (let rest = Buffer.from(text); rest.length > 0 && this.#isOpen;) {
      const written = this.#writeSome(rest)
      rest = rest.subarray(written)
      if (written === 0) await sleep(RETRY_MS)
    }
  }

  resize(cols: number, rows: number): void {
    if (this.#isOpen) this.#pty.resize(cols, rows)
  }

  pause(): void {
    this.#pty.pause()
  }

  resume(): void {
    this.#pty.resume()
  }

  hangUp(): void {
    this.#pty.kill('SIGHUP')
  }

  /** Ends what runs in the program's own group. */
  killGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL')
    } catch {
      // Gone already.
    }
  }

  /** Once closed, the number of the file may be somebody else's. */
  get #isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Zero when the PTY is full: it does not block. */
  #writeSome(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EAGAIN') return 0
      // The program has gone, and with it who would read.
      if (code === 'EIO') return bytes.length
      throw error
    }
  }

  /**
   * Before it is closed: a PTY hands out 4 KiB at a time, and libuv takes the first such part after the program's end for
   * the last; and node-pty closes soon after the end, whatever is still to be read.
   */
  #readRest(onOutput: (chunk: Buffer) => void): void {
    // What a paused socket holds is handed out as data by being read.
    while (this.#socket.read() !== null);
    try {
      for (let rest = 0; rest < MAX_REST_BYTES;) {
        const chunk = Buffer.allocUnsafe(READ_BYTES)
        const length = readSync(this.#fd, chunk)
        if (length === 0) return
        onOutput(chunk.subarray(0, length))
        rest += length
      }
    } catch (error) {
      if (codeOf(error) !== 'EIO' && codeOf(error) !== 'EAGAIN') throw error
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function nameOfSignal(number: number): string {
  const names = Object.entries(constants.signals)
  return names.find(([, value]) => value === number)?.[0] ?? `signal ${number}`
}
