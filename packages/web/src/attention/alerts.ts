// What is new in the list of sessions since it was last looked at.
import { alertFor, type AlertKind, type AlertState, type SessionSummary } from '@quayside/protocol'

export type Alert = { readonly kind: AlertKind; readonly session: SessionSummary }

export class Alerts {
  #known: ReadonlyMap<string, AlertState> | undefined

  /** What is new since the last call. What was so from the beginning is no news. */
  next(sessions: readonly SessionSummary[]): readonly Alert[] {
    const known = this.#known
    this.#known = new Map(sessions.map((session) => [session.id, session]))
    if (!known) return []
    return sessions.flatMap((session) => {
      const kind = alertFor(known.get(session.id), session)
      return kind ? [{ kind, session }] : []
    })
  }
}
