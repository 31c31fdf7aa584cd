// Reports a silent turn: people see nothing new from the agent for a while, although it waits neither for a person nor for a command.
import type { EventData } from '@quayside/protocol'

export class SilenceWatch {
  readonly #limitMs: number
  readonly #isExcused: () => boolean
  readonly #onSilence: (silentMs: number) => void
  #timer: NodeJS.Timeout | undefined
  #lastActivityAt = 0
  #hasReported = false

  constructor(options: {
    limitMs: number
    /** Waiting for a person or a terminal is not silence. */
    isExcused: () => boolean
    onSilence: (silentMs: number) => void
  }) {
    this.#limitMs = options.limitMs
    this.#isExcused = options.isExcused
    this.#onSilence = options.onSilence
  }

  start(): void {
    this.noteActivity()
    this.#arm(this.#limitMs)
  }

  /** Restarts the clock. Called for every update, so it only stores the time. */
  noteActivity(): void {
    this.#lastActivityAt = performance.now()
    this.#hasReported = false
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#check(), ms)
  }

  #check(): void {
    if (this.#isExcused()) this.noteActivity()
    const silentMs = performance.now() - this.#lastActivityAt
    if (silentMs >= this.#limitMs - 1 && !this.#hasReported) {
      this.#hasReported = true
      this.#onSilence(Math.round(silentMs))
    }
    this.#arm(this.#hasReported ? this.#limitMs : Math.max(1, this.#limitMs - silentMs))
  }
}

export function silenceNotice(silentMs: number): EventData['notice'] {
  const message = `The agent has shown nothing new for ${Math.round(silentMs / 1000)} seconds. It may still be working.`
  return { severity: 'warning', code: 'agent_silent', message }
}
