// Sends the output of an agent's running commands to one ACP client: its last part, a few times a second.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import type { OutputPiece } from '../terminals/output-tail.js'

export type LiveTerminalsOptions = {
  /** Empty when the command no longer exists. */
  readonly watch: (terminalId: string, signal: AbortSignal) => AsyncIterable<OutputPiece>
  /** Resolves when the update is sent. */
  readonly send: (terminalId: string, output: string) => Promise<void>
  readonly onLost: (error: unknown) => void
}

/** Each update repeats the shown output, so updates are short and rare. The whole output is sent at the end. */
const MAX_CHARS = 16 * 1024
const PACE_MS = 250

export class LiveTerminals {
  readonly #options: LiveTerminalsOptions
  readonly #watched = new Map<string, AbortController>()

  constructor(options: LiveTerminalsOptions) {
    this.#options = options
  }

  start(terminalId: string): void {
    const stop = new AbortController()
    this.#watched.set(terminalId, stop)
    this.#follow(terminalId, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) this.#options.onLost(error)
    })
  }

  stop(terminalId: string): void {
    this.#watched.get(terminalId)?.abort()
    this.#watched.delete(terminalId)
  }

  stopAll(): void {
    for (const terminalId of this.#watched.keys()) this.stop(terminalId)
  }

  /** Output between two updates is joined in the next one. */
  async #follow(terminalId: string, signal: AbortSignal): Promise<void> {
    const { watch, send } = this.#options
    let output = ''
    for await (const { text, skippedBytes } of watch(terminalId, signal)) {
      output = lastOf(skippedBytes > 0 ? text : output + text)
      await send(terminalId, output)
      await sleep(PACE_MS, undefined, { signal })
    }
  }
}

export type WatchDeps = {
  readonly live: Pick<LiveSessions, 'find'>
  readonly cluster: Cluster | undefined
  readonly by: string
}

/** The output of a running command, at this hub or another one. Empty when the command has ended, and while its machine is away. */
export async function* watchTerminal(
  { live, cluster, by }: WatchDeps,
  { sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string },
  signal: AbortSignal,
): AsyncGenerator<OutputPiece> {
  const terminals = live.find(sessionId)?.terminals
  if (terminals?.has(terminalId)) yield* terminals.watch(terminalId, signal)
  else {
    const remote = await cluster?.findRemote(sessionId, by).catch(() => undefined)
    if (remote && !signal.aborted) yield* remote.watchTerminal(terminalId, signal)
  }
}

function lastOf(output: string): string {
  if (output.length <= MAX_CHARS) return output
  // Start at a line, if there is one.
  const last = output.slice(-MAX_CHARS)
  return last.slice(last.indexOf('\n') + 1)
}
