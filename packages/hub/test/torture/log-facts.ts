// Questions about a session's log, for the promises it has to keep.
import type { EventOf, EventType, SessionEvent, SessionStatus } from '@quayside/protocol'
import type { Acknowledged } from './shadow.js'

/** Event types that begin something, with the type that ends it. */
const PAIRS = [
  ['turn.started', 'turn.ended', 'turnId'],
  ['permission.requested', 'permission.resolved', 'permissionId'],
  ['question.asked', 'question.answered', 'questionId'],
  ['terminal.opened', 'terminal.exited', 'terminalId'],
] as const

export class LogFacts {
  readonly #events: readonly SessionEvent[]
  readonly #byKey = new Map<string, SessionEvent[]>()

  constructor(events: readonly SessionEvent[]) {
    this.#events = events
    for (const event of events) {
      const key = keyOf(event)
      if (key === undefined) continue
      const same = this.#byKey.get(key)
      if (same) same.push(event)
      else this.#byKey.set(key, [event])
    }
  }

  /** The status of the session after that many events. */
  statusAt(length: number): SessionStatus {
    const last = this.#events
      .slice(0, length)
      .findLast(({ type }) => type === 'session.ended' || type === 'session.resumed')
    return last?.type === 'session.ended' ? last.data.status : 'active'
  }

  /** The problem with an acknowledgement that was not kept, if any. */
  contradictionOf(acknowledged: Acknowledged): string | undefined {
    switch (acknowledged.is) {
      case 'prompt': {
        const [queued] = this.#find('turn.queued', acknowledged.turnId)
        if (queued?.seq === acknowledged.seq) return undefined
        return `prompt ${acknowledged.turnId} was accepted as ${acknowledged.seq}, the log has ${queued?.seq}`
      }
      case 'answer': {
        const [resolved] = this.#find('permission.resolved', acknowledged.permissionId)
        const outcome = JSON.stringify(resolved?.data.outcome)
        if (outcome === JSON.stringify(acknowledged.outcome)) return undefined
        return `permission ${acknowledged.permissionId} was ${JSON.stringify(acknowledged.outcome)}, the log has ${outcome}`
      }
      case 'questionAnswer': {
        const [answered] = this.#find('question.answered', acknowledged.questionId)
        if (answered?.data.action === acknowledged.action) return undefined
        return `question ${acknowledged.questionId} was ${acknowledged.action}, the log has ${answered?.data.action}`
      }
      case 'messages':
        if (acknowledged.lastSeq <= this.#events.length) return undefined
        return `messages said ${acknowledged.lastSeq}, the log has ${this.#events.length} events`
      default: {
        if (acknowledged.lastSeq > this.#events.length)
          return `lastSeq was ${acknowledged.lastSeq}, the log has ${this.#events.length} events`
        const status = this.statusAt(acknowledged.lastSeq)
        if (status === acknowledged.status) return undefined
        return `it was ${acknowledged.status} at ${acknowledged.lastSeq}, the log says ${status}`
      }
    }
  }

  /** Events that are in the log more than once. */
  doubled(): string[] {
    const repeated = [...this.#byKey]
      .filter(([, events]) => events.length > 1)
      .map(([key, events]) => `${key} at ${events.map(({ seq }) => seq).join(', ')}`)
    return [...repeated, ...this.#endedTwice()]
  }

  /** Begun and not ended, in a session that has ended. */
  unended(): string[] {
    const open = PAIRS.flatMap(([begin, end, id]) =>
      [...this.#byKey.keys()]
        .filter((key) => key.startsWith(`${begin} `))
        .map((key) => key.slice(begin.length + 1))
        .filter((value) => this.#find(end, value).length === 0)
        .map((value) => `${begin} ${id} ${value} has no ${end}; ${this.#after(begin, value)}`),
    )
    const started = this.#count('agent.started')
    const exited = this.#count('agent.exited')
    if (started > exited) open.push(`${started} agents started, ${exited} exited`)
    if (this.statusAt(this.#events.length) === 'error') return open
    return [...open, ...this.#waiting().map(({ data }) => `prompt ${data.turnId} still waits`)]
  }

  /** The events that follow, except updates, with the reasons of ends. */
  #after(type: EventType, id: string): string {
    const from = this.#find(type, id)[0]?.seq ?? 0
    const next = this.#events.filter(({ seq, type: one }) => seq > from && one !== 'acp.update')
    const words = next.slice(0, 8).map((event) => {
      const { reason, by } = event.data as { reason?: string; by?: string }
      return [event.seq, event.type, reason ?? by ?? ''].join(' ').trim()
    })
    return `after ${from}: ${words.join(', ')}`
  }

  /** Prompts that still wait although a later one had its turn. */
  overtaken(): string[] {
    const queuedSeqs = this.#ofType('turn.started').map(
      ({ data }) => this.#find('turn.queued', data.turnId)[0]?.seq ?? 0,
    )
    const lastServed = Math.max(0, ...queuedSeqs)
    return this.#waiting()
      .filter(({ seq }) => seq < lastServed)
      .map(({ data }) => `prompt ${data.turnId} was forgotten`)
  }

  /** Accepted and not sent: a failed session keeps them until it is resumed. */
  #waiting(): EventOf<'turn.queued'>[] {
    return this.#ofType('turn.queued').filter(
      ({ data: { turnId } }) =>
        this.#find('turn.started', turnId).length + this.#find('turn.ended', turnId).length === 0,
    )
  }

  /** Each life of a session must have one end. */
  #endedTwice(): string[] {
    const problems: string[] = []
    let end: EventOf<'session.ended'> | undefined
    for (const event of this.#events) {
      if (event.type === 'session.resumed') end = undefined
      if (event.type !== 'session.ended') continue
      const [seq, reason] = [end?.seq, end?.data.reason]
      if (end)
        problems.push(`ended at ${seq} (${reason}), again at ${event.seq} (${event.data.reason})`)
      end = event
    }
    return problems
  }

  #find<Type extends EventType>(type: Type, id: string): EventOf<Type>[] {
    return (this.#byKey.get(`${type} ${id}`) ?? []) as EventOf<Type>[]
  }

  #ofType<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.#events.filter((event) => event.type === type) as EventOf<Type>[]
  }

  #count(type: EventType): number {
    return this.#ofType(type).length
  }
}

/** A key for events that may occur only once. */
function keyOf({ type, data }: SessionEvent): string | undefined {
  switch (type) {
    case 'turn.queued':
    case 'turn.started':
    case 'turn.ended':
      return `${type} ${data.turnId}`
    case 'permission.requested':
    case 'permission.resolved':
      return `${type} ${data.permissionId}`
    case 'question.asked':
    case 'question.answered':
      return `${type} ${data.questionId}`
    case 'terminal.opened':
    case 'terminal.exited':
      return `${type} ${data.terminalId}`
    case 'session.created':
      return type
    default:
      return undefined
  }
}
