// A person's terminal in a process of its own (host-main.ts): the PTY, the last of its output, and whoever connects.
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
import { LiveOutput } from './live-output.js'
import type { OutputPiece } from './output-tail.js'
import { Pace } from './pace.js'
import { Pty, type PtyExit } from './pty.js'

/** What is kept for those who come later. */
const MAX_OUTPUT_BYTES = 1024 * 1024
const MAX_CONNECTIONS = 128
const SMALL_PIECE = 16 * 1024
/** Nobody who types sees a delay this short. */
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
  /** Those who want to know the state; who follows the output learns of the end behind it. */
  readonly #watchers = new Set<Socket>()
  readonly #sockets = new Set<Socket>()
  #terminal: Terminal
  #isEnding = false

  /** Listens first, so that nothing runs that nobody can reach. */
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
    // A client that breaks off must never take the terminal with it.
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
      // The next command waits: who writes faster than the program reads has to wait too.
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

  /** A piece is taken only when the last one has left: who reads slowly is behind, and in no other reader's way. */
  async #sendOutput(socket: Socket, after: number, signal: AbortSignal): Promise<void> {
    for await (const piece of this.#output.follow(signal, after)) {
      const hasLeft = send(socket, { is: 'output', ...toTerminalPiece(piece) })
      if (!hasLeft) await once(socket, 'drain', { signal })
      this.#pace.taken(socket, piece.next)
      // A PTY hands out 4 KiB at a time; what follows at once is gathered, so that a flood is not thousands of frames.
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

  /** Hangs up, as closing a window does. Who does not go is the hub's to find; the group is ended all the same. */
  #end(): void {
    this.#isEnding = true
    if (this.#terminal.exit) return this.#leave()
    this.#pty.hangUp()
    setTimeout(() => {
      this.#pty.killGroup()
      setTimeout(() => this.#leave(), LEAVE_GRACE_MS)
    }, HANG_UP_GRACE_MS)
  }

  /** Everybody gets what was sent; who does not read it in time does not keep us. */
  #leave(): void {
    this.#server.close(() => process.exit())
    for (const socket of this.#watchers) socket.end()
    setTimeout(() => process.exit(), LEAVE_GRACE_MS)
  }

  /** When the data directory was removed nobody can ever come again. */
  #watchSocketFile(): void {
    const { socketPath } = this.#launch
    const { ino } = statSync(socketPath)
    setInterval(() => {
      const isThere = statSync(socketPath, { throwIfNoEntry: false })?.ino === ino
      if (!isThere && this.#sockets.size === 0) this.#end()
    }, REACHABLE_CHECK_MS)
  }
}

/** After a gap the text begins with a line, not in the middle of one or of an escape sequence. */
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
