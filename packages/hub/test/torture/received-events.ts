// The events that one lane has received, and waits for past or future ones, until the hub is killed.
import type { EventData, EventOf, EventType, SessionEvent } from '@quayside/protocol'

type Waiter = {
  matches(event: SessionEvent): boolean
  resolve(event: SessionEvent): void
  reject(error: Error): void
}

export class ReceivedEvents {
  readonly #events: SessionEvent[] = []
  readonly #waiters = new Set<Waiter>()
  readonly #killed: AbortSignal

  constructor(killed: AbortSignal) {
    this.#killed = killed
    killed.addEventListener('abort', () => {
      for (const waiter of this.#waiters) waiter.reject(new Error('the hub was killed'))
    })
  }

  add(event: SessionEvent): void {
    this.#events.push(event)
    for (const waiter of this.#waiters) {
      if (!waiter.matches(event)) continue
      this.#waiters.delete(waiter)
      waiter.resolve(event)
    }
  }

  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0
  }

  until(matches: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    const found = this.#events.find(matches)
    if (found) return Promise.resolve(found)
    if (this.#killed.aborted) return Promise.reject(new Error('the hub was killed'))
    return new Promise((resolve, reject) => this.#waiters.add({ matches, resolve, reject }))
  }

  async untilType<Type extends EventType>(
    type: Type,
    matches: (data: EventData[Type]) => boolean,
  ): Promise<EventOf<Type>> {
    const isWanted = (event: SessionEvent): boolean =>
      event.type === type && matches(event.data as EventData[Type])
    return (await this.until(isWanted)) as EventOf<Type>
  }
}
