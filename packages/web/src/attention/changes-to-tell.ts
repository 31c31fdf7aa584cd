// What is new in the list of sessions since it was last looked at.
import { newsOf, type NewsKind, type NewsState, type SessionSummary } from '@quayside/protocol'

export type News = { readonly kind: NewsKind; readonly session: SessionSummary }

export class ChangesToTell {
  #known: ReadonlyMap<string, NewsState> | undefined

  /** What is new since the last call. What was so from the beginning is no news. */
  next(sessions: readonly SessionSummary[]): readonly News[] {
    const known = this.#known
    this.#known = new Map(sessions.map((session) => [session.id, session]))
    if (!known) return []
    return sessions.flatMap((session) => {
      const kind = newsOf(known.get(session.id), session)
      return kind ? [{ kind, session }] : []
    })
  }
}
