// A program in a pseudoterminal: node-pty, with fixes for its reading and writing.
import { readSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPty } from '@lydell/node-pty'

export type PtyExit = { readonly exitCode: number | null; readonly signal: string | null }

export type PtyEvents = {
  readonly onOutput: (chunk: Buffer) => void
  /** Called after the last output. */
  readonly onExit: (exit: PtyExit) => void
}

/** Undeclared fields of node-pty 1.1's UnixTerminal. */
type UnixPty = IPty & { readonly fd: number; readonly _socket: Socket }

const RETRY_MS = 5
const READ_BYTES = 64 * 1024
/** More than a kernel buffers. Limits the last read when another process still prints. */
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
    // node-pty sets the kernel's UTF-8 mode only when it decodes output itself. This keeps bytes and the mode.
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
   * Resolves when the program can read all of it, or has ended. `pty.write` is not used: it spins inside libuv until the
   * PTY accepts everything, which deadlocks when the program waits for its output to be read.
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

  /** Kills the program's process group. */
  killGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL')
    } catch {
      // It has exited already.
    }
  }

  /** After the close, the file descriptor may be reused. */
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
      // The program has exited, so there is no reader.
      if (code === 'EIO') return bytes.length
      throw error
    }
  }

  /**
   * Reads the rest before the close: a PTY returns 4 KiB at a time, and libuv treats the first part after the program's
   * end as the last. node-pty closes soon after the end, even with unread output.
   */
  #readRest(onOutput: (chunk: Buffer) => void): void {
    // Reading a paused socket emits its buffered data.
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
