// What of the changes in the list of sessions a person wants to be told: an agent needs them, is done, or broke down.
import type { SessionSummary } from '@quayside/protocol'

export type NewsKind = 'needsYou' | 'finished' | 'failed'
export type News = { readonly kind: NewsKind; readonly session: SessionSummary }

type Known = Pick<SessionSummary, 'status' | 'activity'>

export class ChangesToTell {
  #known: ReadonlyMap<string, Known> | undefined

  /** What is new since the last call. What was so from the beginning is no news. */
  next(sessions: readonly SessionSummary[]): readonly News[] {
    const known = this.#known
    this.#known = new Map(sessions.map((session) => [session.id, session]))
    if (!known) return []
    return sessions.flatMap((session) => {
      const kind = kindOf(known.get(session.id), session)
      return kind ? [{ kind, session }] : []
    })
  }
}

function kindOf(before: Known | undefined, now: SessionSummary): NewsKind | undefined {
  if (!before) return now.activity === 'waiting' ? 'needsYou' : undefined
  if (now.status === 'error' && before.status === 'active') return 'failed'
  if (now.activity === 'waiting' && before.activity !== 'waiting') return 'needsYou'
  const wasBusy = before.activity === 'working' || before.activity === 'waiting'
  return now.activity === 'idle' && wasBusy ? 'finished' : undefined
}
