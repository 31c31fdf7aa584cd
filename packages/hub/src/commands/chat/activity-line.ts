// A sign of life on stderr while the agent is silent: the elapsed time and the running tool. Only at a terminal.
import type { CommandOutput } from '../io/command-io.js'
import { cutToWidth } from '../io/text-width.js'

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 120
const SILENCE_MS = 1000
/** Returns to the first column and erases the line. */
export const ERASE_LINE = '\r\u{1b}[K'

export class ActivityLine {
  /** The running tool. */
  label = ''
  readonly #stderr: CommandOutput
  #timer: NodeJS.Timeout | undefined
  #startedAt = 0
  #silentSince = 0
  #isShown = false

  constructor(stderr: CommandOutput) {
    this.#stderr = stderr
  }

  /** A turn begins. */
  start(): void {
    this.#startedAt = performance.now()
    this.resume()
  }

  /** The agent works again. Idempotent. */
  resume(): void {
    if (!this.#stderr.isTTY || this.#timer !== undefined || this.#startedAt === 0) return
    this.#silentSince = performance.now()
    this.#timer = setInterval(() => this.#draw(), FRAME_MS)
    this.#timer.unref()
  }

  /** The turn has ended. */
  stop(): void {
    this.pause()
    this.#startedAt = 0
    this.label = ''
  }

  /** A person has to decide. */
  pause(): void {
    this.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Makes way for other output. */
  clear(): void {
    this.#silentSince = performance.now()
    if (!this.#isShown) return
    this.#isShown = false
    this.#stderr.write(ERASE_LINE)
  }

  #draw(): void {
    const now = performance.now()
    if (now - this.#silentSince < SILENCE_MS) return
    const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? ''
    const seconds = Math.floor((now - this.#startedAt) / 1000)
    const text = [`${frame} ${seconds} s`, this.label].filter((part) => part !== '').join(' · ')
    this.#isShown = true
    this.#stderr.write(ERASE_LINE + cutToWidth(text, (this.#stderr.columns ?? 80) - 1))
  }
}
