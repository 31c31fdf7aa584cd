// A person's terminal inside its host process (host-main.ts): the PTY, the tail of its output, and connected clients.
import { once } from 'node:events'
import { chmodSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal, TerminalPiece } from '@quayside/protocol'
import type { IPty } from '@lydell/node-pty'
import {
  type HostCommand,
  type HostFrame,
  type HostLaunch,
  readLines,
  toLine,
} from './host-protocol.js'
import { LiveOutput } from '../live-output.js'
import type { OutputPiece } from '../output-tail.js'
import { Pace } from './pace.js'
import { Pty, type PtyExit } from './pty.js'

/** The tail of the output that is kept for later readers. */
const MAX_OUTPUT_BYTES = 1024 * 1024
const MAX_CONNECTIONS = 128
const SMALL_PIECE = 16 * 1024
/** Too short for a person to notice while typing. */
const GATHER_MS = 5
const HANG_UP_GRACE_MS = 3_000
const LEAVE_GRACE_MS = 1_000
const REACHABLE_CHECK_MS = 5_000

export class TerminalHost {
  readonly #launch: HostLaunch
  readonly #server: Server
  readonly #output: LiveOutput
  readonly #pty: Pty
  readonly #pace: Pace
  /** Connections that get state changes. Followers of the output get the exit after the last output instead. */
  readonly #watchers = new Set<Socket>()
  readonly #sockets = new Set<Socket>()
  #terminal: Terminal
  #isEnding = false
  #wasFollowed = false

  /** Listens before it starts the program, so that the program is always reachable. */
  static async start(launch: HostLaunch, spawn: (launch: HostLaunch) => IPty): Promise<void> {
    const server = createServer()
    server.maxConnections = MAX_CONNECTIONS
    server.listen(launch.socketPath)
    await once(server, 'listening')
    chmodSync(launch.socketPath, 0o600)
    try {
      const host = new TerminalHost(launch, server, spawn(launch))
      server.on('connection', (socket) => host.#serve(socket))
    } catch (error) {
      server.close()
      throw error
    }
  }

  private constructor(launch: HostLaunch, server: Server, pty: IPty) {
    this.#launch = launch
    this.#server = server
    this.#output = new LiveOutput(MAX_OUTPUT_BYTES)
    this.#terminal = { ...launch.terminal, pid: pty.pid, exit: null }
    this.#pty = new Pty(pty, {
      onOutput: (chunk) => this.#print(chunk),
      onExit: (exit) => this.#exit(exit),
    })
    this.#pace = new Pace({
      pause: () => this.#pty.pause(),
      resume: () => this.#pty.resume(),
      maxLagBytes: MAX_OUTPUT_BYTES / 2,
    })
    this.#watchSocketFile()
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    this.#watchers.add(socket)
    // A client that disconnects must never end the terminal.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#watchers.delete(socket)
    })
    send(socket, this.#state())
    this.#obey(socket).catch(() => socket.destroy())
  }

  async #obey(socket: Socket): Promise<void> {
    for await (const line of readLines(socket)) {
      const command = JSON.parse(line) as HostCommand
      if (command.do === 'follow') this.#follow(socket, command.after)
      // Backpressure: the next command is read when the program has read this input.
      if (command.do === 'input') await this.#pty.write(command.data)
      if (command.do === 'resize') this.#resize(command)
      if (command.do === 'end') this.#end()
    }
  }

  #follow(socket: Socket, after: number): void {
    this.#watchers.delete(socket)
    const gone = new AbortController()
    socket.once('close', () => {
      this.#pace.left(socket)
      gone.abort()
    })
    this.#sendOutput(socket, after, gone.signal).catch(() => socket.destroy())
  }

  /** Takes a piece only when the previous one was sent, so that a slow reader does not block the others. */
  async #sendOutput(socket: Socket, after: number, signal: AbortSignal): Promise<void> {
    // The first reader belongs to the person who opened the terminal: its program may wait for the screen's answers.
    const pastBytes = this.#wasFollowed ? this.#output.tail.totalBytes : 0
    this.#wasFollowed = true
    for await (const piece of this.#output.follow(signal, after)) {
      const output = toTerminalPiece(piece)
      const isPast = output.offset < pastBytes
      const hasLeft = send(socket, { is: 'output', ...output, ...(isPast && { isPast }) })
      if (!hasLeft) await once(socket, 'drain', { signal })
      this.#pace.taken(socket, piece.next)
      // A PTY returns 4 KiB at a time. Wait a moment to send fewer, larger frames.
      if (piece.text.length < SMALL_PIECE) await sleep(GATHER_MS)
    }
    if (signal.aborted) return
    send(socket, { is: 'exited', exit: this.#terminal.exit })
    socket.end()
  }

  #print(chunk: Buffer): void {
    this.#output.push(chunk)
    this.#pace.printed(this.#output.tail.totalBytes)
  }

  #resize({ cols, rows }: { cols: number; rows: number }): void {
    this.#pty.resize(cols, rows)
    this.#change({ cols, rows })
  }

  #exit(exit: PtyExit): void {
    this.#change({ exit: { ...exit, at: new Date().toISOString() } })
    this.#output.end()
    if (this.#isEnding) this.#leave()
    else setTimeout(() => this.#leave(), this.#launch.keepExitedMs)
  }

  #change(change: Partial<Terminal>): void {
    this.#terminal = { ...this.#terminal, ...change }
    for (const socket of this.#watchers) send(socket, this.#state())
  }

  #state(): HostFrame {
    return { is: 'state', hostPid: process.pid, terminal: this.#terminal }
  }

  /** Sends SIGHUP, as closing a window does, then kills the group. The hub finds processes that left the group. */
  #end(): void {
    this.#isEnding = true
    if (this.#terminal.exit) return this.#leave()
    this.#pty.hangUp()
    setTimeout(() => {
      this.#pty.killGroup()
      setTimeout(() => this.#leave(), LEAVE_GRACE_MS)
    }, HANG_UP_GRACE_MS)
  }

  /** Flushes the output to clients, with a deadline, and exits. */
  #leave(): void {
    this.#server.close(() => process.exit())
    for (const socket of this.#watchers) socket.end()
    setTimeout(() => process.exit(), LEAVE_GRACE_MS)
  }

  /** Ends the host when its data directory was removed, because no hub can reach it any more. */
  #watchSocketFile(): void {
    const { socketPath } = this.#launch
    const { ino } = statSync(socketPath)
    setInterval(() => {
      const isThere = statSync(socketPath, { throwIfNoEntry: false })?.ino === ino
      if (!isThere && this.#sockets.size === 0) this.#end()
    }, REACHABLE_CHECK_MS)
  }
}

/** After a gap the text begins at a line, not in the middle of a line or of an escape sequence. */
function toTerminalPiece({ text, skippedBytes, next }: OutputPiece): TerminalPiece {
  const lineEnd = skippedBytes > 0 ? text.indexOf('\n') : -1
  const data = text.slice(lineEnd + 1)
  const offset = next - Buffer.byteLength(data)
  const cutBytes = lineEnd < 0 ? 0 : Buffer.byteLength(text.slice(0, lineEnd + 1))
  return { offset, next, data, skippedBytes: skippedBytes + cutBytes }
}

function send(socket: Socket, frame: HostFrame): boolean {
  return socket.writable && socket.write(toLine(frame))
}
