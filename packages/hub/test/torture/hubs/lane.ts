// One person's work on one session of several hubs: prompts at a random hub, repeated with the same id at any hub until one accepts it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PromptAccepted } from '@quayside/protocol'
import type { Dice } from '../plan.js'
import type { Shadow, SessionShadow } from '../shadow.js'
import { ask } from './ask.js'
import type { StagedHub } from './staged-hub.js'

const PAUSE_MS = 50
/** A turn that leaves marks for so long is cancelled, unless its hub cannot be reached. */
const CANCEL_MS = 150
const TURN_MS = 2_000

export type LaneDeps = {
  readonly hubs: readonly StagedHub[]
  readonly shadow: Shadow
  readonly session: SessionShadow
  readonly dice: Dice
  /** The marks of a long turn go on for this long: beyond a lease. */
  readonly longMs: number
}

const MARK_MS = 20

export class Lane {
  readonly #deps: LaneDeps
  readonly #over = new AbortController()
  #isPaused = true
  #isIdle = true
  #accepted = 0
  #lastProblem = ''

  constructor(deps: LaneDeps) {
    this.#deps = deps
  }

  /** The number of prompts that were accepted. */
  get accepted(): number {
    return this.#accepted
  }

  get session(): SessionShadow {
    return this.#deps.session
  }

  /** The number of turns whose end a client has seen. */
  get ended(): number {
    return this.#deps.session.ended.size
  }

  /** Paused, and nothing under way. */
  get isIdle(): boolean {
    return this.#isPaused && this.#isIdle
  }

  /** The last refusal, for a report. */
  get lastProblem(): string {
    return this.#lastProblem
  }

  /** Until `stop`. */
  async run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      if (this.#isPaused) {
        await sleep(PAUSE_MS)
        continue
      }
      this.#isIdle = false
      await this.#step()
      this.#isIdle = true
    }
  }

  pause(): void {
    this.#isPaused = true
  }

  go(): void {
    this.#isPaused = false
  }

  stop(): void {
    this.#over.abort()
  }

  async #step(): Promise<void> {
    const { session, dice, longMs } = this.#deps
    const isLong = dice.chance(0.5)
    const marks = isLong ? Math.ceil(longMs / MARK_MS) : 3
    const id = await this.#prompt(`mark ${session.id} ${marks} ${MARK_MS}`)
    if (id === undefined) return
    if (isLong) {
      await sleep(CANCEL_MS)
      await this.#ask('POST', '/cancel', { turnId: id })
    }
    await this.#untilEnded(id)
  }

  /** The id of the accepted prompt; undefined when the lane was stopped first. */
  async #prompt(text: string): Promise<string | undefined> {
    const { shadow, session } = this.#deps
    const id = randomUUID()
    while (!this.#over.signal.aborted) {
      const answer = await this.#ask('POST', '/prompt', { id, text })
      if (answer.ok) {
        const { turnId, seq } = answer.body as PromptAccepted
        shadow.acknowledge(session, { is: 'prompt', turnId, seq })
        this.#accepted += 1
        return id
      }
      this.#lastProblem = `${answer.code} at ${answer.hub}`
      if (answer.code === 'session_not_active') await this.#ask('POST', '/resume', {})
      else if (answer.code === 'queue_full') await this.#ask('POST', '/cancel', {})
      await sleep(PAUSE_MS)
    }
    return undefined
  }

  /** Or until the session has ended, or for long enough: its hub may be away. */
  async #untilEnded(turnId: string): Promise<void> {
    const { session } = this.#deps
    const giveUpAt = performance.now() + TURN_MS
    while (performance.now() < giveUpAt && !this.#over.signal.aborted) {
      if (session.ended.has(turnId)) return
      await sleep(10)
    }
  }

  async #ask(method: string, path: string, body: object) {
    const { hubs, dice, session } = this.#deps
    const hub = dice.pick(hubs)
    const answer = await ask(hub.address, {
      method,
      path: `/api/sessions/${session.id}${path}`,
      body,
    })
    return { ...answer, hub: hub.name }
  }
}
