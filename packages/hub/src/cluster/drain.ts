// Empties this hub while its row says so: it takes no new work, turns that run are completed, and then each session is put to sleep. A
// session on a volume that another hub has is resumed there.
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import type { ClusterStore, HubRow } from '../store/cluster-store.js'
import type { KnownHubs } from './known-hubs.js'
import type { Peers } from './peers.js'

const LOOK_MS = 500
const DRAIN = { by: 'drain', scope: 'write' } as const

export type DrainDeps = {
  readonly store: ClusterStore
  readonly hubs: KnownHubs
  readonly peers: Peers
  readonly live: LiveSessions
  readonly log: Log
}

export class Drain {
  readonly #deps: DrainDeps
  #timer: NodeJS.Timeout | undefined

  constructor(deps: DrainDeps) {
    this.#deps = deps
    deps.live.refuseWhile(() => this.#refusal())
  }

  /** Looks until it is closed. */
  begin(): void {
    this.#timer = setTimeout(() => void this.#lookAgain(), LOOK_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #refusal(): HubError | undefined {
    const { hubs, store } = this.#deps
    if (!hubs.isDraining) return undefined
    const [other] = hubs.accepting
    const advice = other ? `Use "${other.name}" instead.` : 'Try again when it has started again.'
    const message = `The hub "${store.name}" is being emptied, so it takes no new sessions and prompts. ${advice}`
    return new HubError('hub_draining', { message, ...(other && { hub: { name: other.name } }) })
  }

  async #lookAgain(): Promise<void> {
    const { hubs, live } = this.#deps
    const idle = hubs.isDraining ? live.all.filter(({ idleSince }) => idleSince !== undefined) : []
    for (const { id } of idle) if (this.#timer) await this.#move(id)
    if (this.#timer) this.begin()
  }

  async #move(id: string): Promise<void> {
    const { store, live, log } = this.#deps
    try {
      await live.find(id)?.end({ status: 'completed', reason: 'hub_drained', by: DRAIN.by })
      const place = await store.findOwner(id)
      const target = place && this.#targetOf(place.volume)
      if (target === undefined) return
      await store.release(id)
      await this.#resumeAt(target, id)
    } catch (error) {
      log.warn(
        { err: error, sessionId: id },
        'a session of a hub that is being emptied was not moved',
      )
    }
  }

  #targetOf(volume: string): HubRow | undefined {
    return this.#deps.hubs.accepting.find(({ volumes }) => volumes.includes(volume))
  }

  /** A hub without room leaves it asleep. */
  async #resumeAt(target: HubRow, id: string): Promise<void> {
    const { peers, log } = this.#deps
    const path = `/api/sessions/${encodeURIComponent(id)}/resume`
    await peers.send(target, { method: 'POST', path, body: {} }, DRAIN)
    log.info({ sessionId: id, to: target.name }, 'moved a session to another hub')
  }
}
