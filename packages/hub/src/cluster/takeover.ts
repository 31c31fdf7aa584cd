// Takes the sessions of dead hubs over: those on volumes that this hub has too. Appends the ends that their logs lack, then resumes them
// where there is room. A hub takes a session by the claim of its first event, so that one hub alone succeeds.
import { messageOfError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import { lostEnds } from '../sessions/log/close-log.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { Sessions } from '../sessions/sessions.js'
import type { ClusterStore, LostSession } from '../store/cluster-store.js'
import { isNotOwned } from '../store/storage-error.js'

const LOOK_MS = 1_000
/** A hub without room leaves a lost session so long to others. */
const LEAVE_TO_OTHERS_MS = 3_000
/** Agents that are started at the same time. */
const STARTS = 2

export type TakeoverDeps = {
  readonly store: ClusterStore
  readonly eventLog: EventLog
  readonly live: LiveSessions
  readonly sessions: Sessions
  readonly log: Log
}

export class Takeover {
  readonly #deps: TakeoverDeps
  /** When this hub saw each of them first, by the monotonic clock. */
  #seen = new Map<string, number>()
  /** Each begins the resume of a session. */
  readonly #waiting: (() => void)[] = []
  #starting = 0
  #timer: NodeJS.Timeout | undefined

  constructor(deps: TakeoverDeps) {
    this.#deps = deps
  }

  /** Looks once a second, until it is closed. */
  begin(): void {
    this.#timer = setTimeout(() => void this.#lookAgain(), LOOK_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // The hub refuses them now.
    for (const begin of this.#waiting.splice(0)) this.#start(begin)
  }

  async #lookAgain(): Promise<void> {
    await this.#look().catch((error: unknown) =>
      this.#deps.log.debug({ err: error }, 'cannot look for sessions of dead hubs'),
    )
    if (this.#timer) this.begin()
  }

  async #look(): Promise<void> {
    const { store, live } = this.#deps
    if (!store.lease.isHeld || !live.isAccepting) return
    const lost = await store.lostSessions()
    const now = performance.now()
    this.#seen = new Map(lost.map(({ id }) => [id, this.#seen.get(id) ?? now]))
    for (const session of lost)
      if (this.#timer && this.#isDue(session, now)) await this.#take(session)
  }

  #isDue({ id }: LostSession, now: number): boolean {
    const { live } = this.#deps
    // This hub had it before, and its end is still to be stored.
    if (live.isInUse(id)) return false
    return (
      live.hasRoom(this.#waiting.length + this.#starting + 1) ||
      now - (this.#seen.get(id) ?? now) >= LEAVE_TO_OTHERS_MS
    )
  }

  async #take({ id, hubName }: LostSession): Promise<void> {
    const { store, sessions, log } = this.#deps
    const machine = `The machine "${hubName}"`
    try {
      const message = `${machine} stopped answering, so "${store.name}" has taken the session over.`
      const ends = lostEnds(message, machine)
      // A person, or another hub, may have ended it meanwhile.
      if (!(await sessions.endLost(id, ends))) return
    } catch (error) {
      // Another hub was faster.
      if (isNotOwned(error)) return
      log.error({ err: error, sessionId: id }, 'a session of a dead hub cannot be taken over')
      return
    }
    log.warn({ sessionId: id, from: hubName }, 'took a session over from a hub that is dead')
    this.#resumeInTurn(id)
  }

  /** The sessions know at once that it will be resumed, so that a person can end it meanwhile. */
  #resumeInTurn(id: string): void {
    const turn = new Promise<void>((begin) => this.#waiting.push(begin))
    const resumed = this.#resume(id, turn).finally(() => {
      this.#starting -= 1
      this.#startNext()
    })
    logRejection(this.#deps.log, 'resuming a session of a dead hub', resumed)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#starting < STARTS) {
      const begin = this.#waiting.shift()
      if (begin === undefined) return
      this.#start(begin)
    }
  }

  #start(begin: () => void): void {
    this.#starting += 1
    begin()
  }

  async #knowRepoOf(id: string): Promise<void> {
    const { store } = this.#deps
    const { repoId } = (await store.findOwner(id)) ?? {}
    if (repoId !== undefined) await store.knowRepo(repoId)
  }

  async #resume(id: string, turn: Promise<void>): Promise<void> {
    const { store, sessions, eventLog, log } = this.#deps
    try {
      await sessions.resume(id, 'takeover', { after: () => turn.then(() => this.#knowRepoOf(id)) })
    } catch (error) {
      log.warn({ err: error, sessionId: id }, 'a session of a dead hub was not resumed')
      const message = `The session was not resumed on "${store.name}": ${messageOfError(error)}`
      const data = { severity: 'warning', code: 'not_resumed', message } as const
      await eventLog.append(id, { type: 'notice', data })
    }
  }
}
