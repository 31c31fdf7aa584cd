// How long sessions are opened: the last part of the log, folded, and from where to follow.
import {
  applyEvent,
  emptyTranscript,
  inReadingOrder,
  type QueuedTurn,
  type SessionEvent,
  stateOf,
  type Timeline,
  type Transcript,
} from '@quayside/protocol'
import type { Database } from '../../store/database.js'
import type { EventLog } from '../log/event-log.js'
import { decodeEvent } from '../log/event-rows.js'
import type { Projection } from '../log/projection.js'

type Place = { readonly seq: number }

const PAGE = 100

export class Timelines {
  readonly #eventLog: EventLog
  readonly #projection: Projection
  readonly #back
  readonly #prompts

  constructor(db: Database, eventLog: EventLog, projection: Projection) {
    this.#eventLog = eventLog
    this.#projection = projection
    this.#back = db.prepare(
      `SELECT seq FROM AgentMessage
       WHERE sessionId = :id AND seq < :before ORDER BY seq DESC LIMIT 1 OFFSET :offset`,
    )
    this.#prompts = db.prepare(
      `SELECT seq, turnId FROM AgentMessage
       WHERE sessionId = :id AND seq <= :seq AND role = 'user' AND turnId IS NOT NULL
       ORDER BY seq DESC LIMIT 50`,
    )
  }

  /** At least `limit` rows before `before`, more when a turn is longer. */
  read(id: string, limit: number, before?: number): Timeline {
    const lastSeq = this.#eventLog.lastSeq(id)
    const end = Math.min(before ?? lastSeq + 1, lastSeq + 1)
    const { start, transcript } = this.#foldBack(id, limit, end)
    const items = inReadingOrder(transcript.items)
    // What the agent offers is said once, long before the last part; of live sessions it is in memory.
    const whole = this.#projection.findLive(id) ?? transcript
    return {
      items,
      seq: lastSeq,
      ...(start > 1 ? { before: start } : {}),
      ...(end > lastSeq ? { state: stateOf(whole) } : {}),
    }
  }

  /** The prompts that wait in the log: also those of a session that failed, until it comes back. */
  waiting(id: string): readonly QueuedTurn[] {
    return this.#foldBack(id, 1, this.#eventLog.lastSeq(id) + 1).transcript.queue
  }

  #foldBack(id: string, limit: number, end: number): { start: number; transcript: Transcript } {
    const row = this.#back.get({ id, before: end, offset: limit - 1 }) as Place | undefined
    const start = row === undefined ? 1 : this.#quietPlace(id, row.seq)
    const transcript = emptyTranscript()
    for (const event of this.#events(id, start - 1)) {
      if (event.seq >= end) break
      applyEvent(transcript, event)
    }
    return { start, transcript }
  }

  /**
   * The last prompt up to `seq` that came when nothing ran and nothing waited, or the beginning.
   * Only there can a log be cut: a turn that ran over the cut would be folded in halves.
   */
  #quietPlace(id: string, seq: number): number {
    for (let from = seq; from > 0;) {
      const prompts = this.#prompts.all({ id, seq: from }) as (Place & { turnId: string })[]
      const quiet = prompts.find((prompt) => this.#startsAtOnce(id, prompt))
      if (quiet !== undefined) return quiet.seq
      from = (prompts.at(-1)?.seq ?? 1) - 1
    }
    return 1
  }

  /** A prompt that has to wait is followed by another turn's news before its own. */
  #startsAtOnce(id: string, { seq, turnId }: Place & { readonly turnId: string }): boolean {
    for (const event of this.#events(id, seq))
      if (event.type.startsWith('turn.'))
        return event.type === 'turn.started' && event.data.turnId === turnId
    return false
  }

  *#events(id: string, after: number): Generator<SessionEvent> {
    for (let from = after; ;) {
      const page = this.#eventLog.read(id, from, PAGE)
      for (const encoded of page) yield decodeEvent(encoded)
      const last = page.at(-1)
      if (last === undefined) return
      from = last.seq
    }
  }
}
