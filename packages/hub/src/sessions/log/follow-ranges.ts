// Resolves where a reader begins and ends, given in turns or times, to numbers of events.
import type { FollowInput } from '@quayside/protocol/schemas'
import type { Store } from '../../store/store.js'

/** The events after `after`; with `until` none beyond it, also later. */
export type FollowRange = { readonly after: number; readonly until?: number }

export class FollowRanges {
  readonly #store: Pick<Store, 'events' | 'sessions'>

  constructor(store: Pick<Store, 'events' | 'sessions'>) {
    this.#store = store
  }

  /** `limit` counts turns, from the end or from `before`; `since` and `before` are milliseconds since 1970. */
  async resolve(sessionId: string, range: FollowInput): Promise<FollowRange> {
    const { after = 0, limit, since, before } = range
    const { events } = this.#store
    const until =
      before === undefined ? undefined : await events.lastSeqUntil(sessionId, before - 1)
    const starts = [
      after,
      since === undefined ? 0 : await events.lastSeqUntil(sessionId, since),
      limit === undefined ? 0 : await this.#beforeTurns(sessionId, limit, until),
    ]
    return { after: Math.max(...starts), ...(until === undefined ? {} : { until }) }
  }

  /** A turn begins with its prompt. */
  async #beforeTurns(sessionId: string, turns: number, until: number | undefined): Promise<number> {
    const { events, sessions } = this.#store
    if (turns === 0) return until ?? events.lastSeq(sessionId)
    const end = until ?? Number.MAX_SAFE_INTEGER
    const prompt = await sessions.findPromptBack(sessionId, end, turns)
    return prompt === undefined ? 0 : prompt - 1
  }
}
