// Finds the sessions that need an alert, by comparing the list with the one before.
import { alertFor, type AlertKind, type AlertState, type SessionSummary } from '@quayside/protocol'

export type Alert = { readonly kind: AlertKind; readonly session: SessionSummary }

export class Alerts {
  #known: ReadonlyMap<string, AlertState> | undefined

  /** The alerts since the last call; none at the first call. */
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
