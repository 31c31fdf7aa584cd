// What commands of an agent print while they run, for one ACP client: the last of it, a few times a second.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutputPiece } from '../terminals/output-tail.js'

export type LiveTerminalsOptions = {
  /** Nothing when the command is not there any more. */
  readonly watch: (
    terminalId: string,
    signal: AbortSignal,
  ) => AsyncIterable<OutputPiece> | undefined
  /** Resolves when the client has been told. */
  readonly tell: (terminalId: string, output: string) => Promise<void>
  readonly onLost: (error: unknown) => void
}

/** Each update says all that is shown, so it is short and seldom; everything comes at the end. */
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

  /** What is printed between two updates is one piece of the next. */
  async #follow(terminalId: string, signal: AbortSignal): Promise<void> {
    const { watch, tell } = this.#options
    let output = ''
    for await (const { text, skippedBytes } of watch(terminalId, signal) ?? []) {
      output = lastOf(skippedBytes > 0 ? text : output + text)
      await tell(terminalId, output)
      await sleep(PACE_MS, undefined, { signal })
    }
  }
}

function lastOf(output: string): string {
  if (output.length <= MAX_CHARS) return output
  // Whole lines, where there are any.
  const last = output.slice(-MAX_CHARS)
  return last.slice(last.indexOf('\n') + 1)
}
