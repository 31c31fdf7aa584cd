// Opens long sessions: the last part of the log, folded, and the position to follow from.
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
import type { PromptRow, SessionStore } from '../../store/session-store.js'
import { decodeEvent } from '../log/encoded-events.js'
import type { EventLog } from '../log/event-log.js'
import type { Projection } from '../log/projection.js'

const PAGE = 100

export type TimelinesDeps = {
  readonly store: SessionStore
  readonly eventLog: EventLog
  readonly projection: Projection
}

export class Timelines {
  readonly #deps: TimelinesDeps

  constructor(deps: TimelinesDeps) {
    this.#deps = deps
  }

  /** At least `limit` rows before `before`, more when a turn is longer. */
  async read(id: string, limit: number, before?: number): Promise<Timeline> {
    const { eventLog, projection } = this.#deps
    const lastSeq = await eventLog.lastSeq(id)
    const end = Math.min(before ?? lastSeq + 1, lastSeq + 1)
    // An agent announces its options once, long before the last part; live sessions have them in memory.
    const live = end > lastSeq ? projection.findLive(id) : undefined
    const liveState = live && stateOf(live)
    const { start, transcript } = await this.#foldBack(id, limit, end)
    return {
      items: inReadingOrder(transcript.items),
      seq: lastSeq,
      ...(start > 1 ? { before: start } : {}),
      ...(end > lastSeq ? { state: liveState ?? stateOf(transcript) } : {}),
    }
  }

  /** The prompts that wait in the log, also those of a session that failed, until it is resumed. */
  async waiting(id: string): Promise<readonly QueuedTurn[]> {
    const lastSeq = await this.#deps.eventLog.lastSeq(id)
    const { transcript } = await this.#foldBack(id, 1, lastSeq + 1)
    return transcript.queue
  }

  async #foldBack(
    id: string,
    limit: number,
    end: number,
  ): Promise<{ start: number; transcript: Transcript }> {
    const seq = await this.#deps.store.findMessageBefore(id, end, limit)
    const start = seq === undefined ? 1 : await this.#findCut(id, seq)
    const transcript = emptyTranscript()
    await this.#visit(id, start - 1, (event) => {
      if (event.seq >= end) return true
      applyEvent(transcript, event)
      return false
    })
    return { start, transcript }
  }

  /**
   * The last prompt up to `seq` that arrived when no turn ran and none waited, or the beginning.
   * A log can only be cut there: a turn that runs across the cut would be folded in halves.
   */
  async #findCut(id: string, seq: number): Promise<number> {
    for (let from = seq; from > 0;) {
      const prompts = await this.#deps.store.promptsUntil(id, from)
      for (const prompt of prompts) if (await this.#startsAtOnce(id, prompt)) return prompt.seq
      from = (prompts.at(-1)?.seq ?? 1) - 1
    }
    return 1
  }

  /** A prompt that has to wait is followed by an event of another turn before its own. */
  async #startsAtOnce(id: string, { seq, turnId }: PromptRow): Promise<boolean> {
    let isStart = false
    await this.#visit(id, seq, (event) => {
      if (!event.type.startsWith('turn.')) return false
      isStart = event.type === 'turn.started' && event.data.turnId === turnId
      return true
    })
    return isStart
  }

  /** Decodes events after `after` one by one, until `visit` returns true. */
  async #visit(id: string, after: number, visit: (event: SessionEvent) => boolean): Promise<void> {
    for (let from = after; ;) {
      const page = await this.#deps.eventLog.read(id, from, PAGE)
      for (const encoded of page) if (visit(decodeEvent(encoded))) return
      const last = page.at(-1)
      if (last === undefined) return
      from = last.seq
    }
  }
}
