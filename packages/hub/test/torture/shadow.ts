// Everything that a hub has sent to any client: events, acknowledgements, states. The log must agree with it forever.
import type { PermissionOutcome, SessionEvent, SessionStatus } from '@quayside/protocol'

export type ViolationKind =
  | 'lost'
  | 'doubled'
  | 'gap'
  | 'changed'
  | 'untrue'
  | 'unfolded'
  | 'corrupt'
  | 'orphan'
  | 'broken'
  /** Several hubs: two owners, two agents at once, a follower that is not woken, a takeover that takes too long. */
  | 'owners'
  | 'overlap'
  | 'behind'
  | 'late'

export type Violation = {
  readonly round: number
  readonly kind: ViolationKind
  readonly what: string
}

export type Acknowledged =
  | { readonly is: 'prompt'; readonly turnId: string; readonly seq: number }
  | { readonly is: 'answer'; readonly permissionId: string; readonly outcome: PermissionOutcome }
  | { readonly is: 'questionAnswer'; readonly questionId: string; readonly action: string }
  | { readonly is: 'state'; readonly status: SessionStatus; readonly lastSeq: number }
  | { readonly is: 'messages'; readonly lastSeq: number }

/** Everything that was sent about one session. */
export class SessionShadow {
  readonly id: string
  /** By seq, the JSON as it was sent. */
  readonly seen = new Map<number, string>()
  readonly acknowledged: Acknowledged[] = []
  /** Prompts with a client-made id and no answer, by that id. */
  readonly unanswered = new Map<string, string>()
  /** Prompts with a client-made id that were accepted, by that id. */
  readonly accepted = new Map<string, { readonly text: string; readonly seq: number }>()
  /** The turns whose end was seen. */
  readonly ended = new Set<string>()
  /** The number of events in the log at the last comparison. */
  length = 0
  /** True when a hub may have written to it since. */
  isTouched = true

  constructor(id: string) {
    this.id = id
  }
}

/** One reader's position: each reader gets every event once, in order. */
export type Cursor = { readonly reader: string; after: number }

export class Shadow {
  readonly sessions = new Map<string, SessionShadow>()
  readonly violations: Violation[] = []
  round = 0
  acknowledgements = 0
  eventsSeen = 0
  /** Called at each acknowledgement, before anything else. */
  onAcknowledged: () => void = () => {}

  /** Records each problem once. */
  blame(kind: ViolationKind, what: string): void {
    if (this.violations.some((known) => known.kind === kind && known.what === what)) return
    this.violations.push({ round: this.round, kind, what })
  }

  session(id: string): SessionShadow {
    const known = this.sessions.get(id)
    if (known) return known
    const session = new SessionShadow(id)
    this.sessions.set(id, session)
    return session
  }

  acknowledge(session: SessionShadow, acknowledged: Acknowledged): void {
    session.acknowledged.push(acknowledged)
    this.acknowledgements += 1
    this.onAcknowledged()
  }

  see(session: SessionShadow, cursor: Cursor, json: string): SessionEvent {
    const event = JSON.parse(json) as SessionEvent
    const where = `session ${session.id}, event ${event.seq}, ${cursor.reader}`
    if (event.seq <= cursor.after) this.blame('doubled', `${where}: sent again`)
    if (event.seq > cursor.after + 1) this.blame('gap', `${where}: came after ${cursor.after}`)
    cursor.after = event.seq
    this.eventsSeen += 1
    const known = session.seen.get(event.seq)
    if (known === undefined) session.seen.set(event.seq, json)
    else if (known !== json) this.blame('changed', `${where}: ${json} was ${known}`)
    return event
  }
}
