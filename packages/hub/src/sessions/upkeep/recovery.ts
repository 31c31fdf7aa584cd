// After a crash of the hub: sessions that are still active have no agent any more. Appends their closing events, behind the start.
import { settlesWithin, within } from '../../deadline.js'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { SessionStore } from '../../store/session-store.js'
import { appendMissingEnds, type ClosingEvents, type LogEndDeps } from '../log/close-log.js'

/** Only a turn that was running has a text of its own: an idle agent was not at work. The transcript describes the rest. */
const CRASHED: ClosingEvents = {
  ended: { status: 'error', reason: 'hub_crash' },
  exited: { reason: 'hub_crash' },
  failure: { code: 'hub_crash', message: 'The hub stopped before the agent had finished.' },
  reason: 'hub_crash',
}

/** A request waits this long for the log of its session. */
const WAIT_MS = 10_000

export type RecoveryDeps = LogEndDeps & {
  readonly store: Pick<SessionStore, 'activeIds'>
  readonly log: Log
}

export class Recovery {
  readonly #deps: RecoveryDeps
  /** Sessions whose closing events are not stored yet, with the work on those that has begun. */
  readonly #open = new Map<string, Promise<void> | undefined>()
  #run: Promise<void> | undefined
  #isClosed = false

  constructor(deps: RecoveryDeps) {
    this.#deps = deps
  }

  /** Before any session begins: every session that is active now was left by a crash. */
  async find(): Promise<void> {
    for (const id of await this.#deps.store.activeIds()) this.#open.set(id, undefined)
  }

  /** One session after the other. A failed one is retried when it is asked for, and at the next start. Idempotent. */
  run(): Promise<void> {
    this.#run ??= this.#recoverAll()
    return this.#run
  }

  /** For lists, whose counts and filters are those of the rows. Later than the deadline, a list shows the session in error. */
  async whenAllClosed(): Promise<void> {
    if (this.#open.size > 0) await within(this.run(), WAIT_MS)
  }

  async #recoverAll(): Promise<void> {
    for (const id of this.#open.keys()) {
      if (this.#isClosed) return
      await this.#recover(id).catch(() => undefined)
    }
  }

  /** Stops after the session that is being recovered. */
  async close(): Promise<void> {
    this.#isClosed = true
    const begun = [...this.#open.values()].filter((recovering) => recovering !== undefined)
    await Promise.allSettled(begun)
  }

  /** True while the session is stored as active but has no agent. */
  isUnclosed(id: string): boolean {
    return this.#open.has(id)
  }

  /** Resolves when the session's log has its end. Recovers this session first. Throws `session_ending` when that takes too long. */
  async whenClosed(id: string): Promise<void> {
    if (!this.#open.has(id)) return
    if (await settlesWithin(this.#recover(id), WAIT_MS)) return
    const message =
      'The hub stopped unexpectedly, and the end of this session is still being stored. Try again in a moment.'
    throw new HubError('session_ending', { message, sessionId: id })
  }

  #recover(id: string): Promise<void> {
    const recovering = this.#open.get(id) ?? this.#appendEnds(id)
    this.#open.set(id, recovering)
    return recovering
  }

  async #appendEnds(id: string): Promise<void> {
    const { log } = this.#deps
    try {
      await appendMissingEnds(this.#deps, id, CRASHED)
      this.#open.delete(id)
      log.warn({ sessionId: id }, 'the hub ended without closing this session; it is now in error')
    } catch (error) {
      this.#open.set(id, undefined)
      log.error({ err: error, sessionId: id }, 'the end of a session cannot be stored')
      throw error
    }
  }
}
