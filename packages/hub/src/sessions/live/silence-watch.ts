// Notices when a turn makes no sound: nothing from the agent for a while, and nothing it is waiting for.
import type { EventData } from '@quayside/protocol'

export class SilenceWatch {
  readonly #limitMs: number
  readonly #isExcused: () => boolean
  readonly #onSilence: (silentMs: number) => void
  #timer: NodeJS.Timeout | undefined
  #lastSoundAt = 0
  #hasTold = false

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
    this.sound()
    this.#arm(this.#limitMs)
  }

  /** The agent said something: the clock starts anew. Called for every update, so it only writes down the time. */
  sound(): void {
    this.#lastSoundAt = performance.now()
    this.#hasTold = false
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
    if (this.#isExcused()) this.sound()
    const silentMs = performance.now() - this.#lastSoundAt
    if (silentMs >= this.#limitMs - 1 && !this.#hasTold) {
      this.#hasTold = true
      this.#onSilence(Math.round(silentMs))
    }
    this.#arm(this.#hasTold ? this.#limitMs : Math.max(1, this.#limitMs - silentMs))
  }
}

export function silenceNotice(silentMs: number): EventData['notice'] {
  const message = `The agent has said nothing for ${Math.round(silentMs / 1000)} seconds. It may still be working.`
  return { severity: 'warning', code: 'agent_silent', message }
}
