// Callbacks by the type of event. A callback that throws does not affect the others.
import type { Listener } from '../connection/connection.js'
import type { ChatEvent, ChatEventType } from './chat-events.js'

export class ListenerSet {
  readonly #listeners = new Map<ChatEventType | '*', Set<Listener<never>>>()

  add(type: ChatEventType | '*', listener: Listener<never>): () => void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      const isLast = listeners.size === 0 && this.#listeners.get(type) === listeners
      if (isLast) this.#listeners.delete(type)
    }
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  send(event: ChatEvent): void {
    for (const type of [event.type, '*'] as const)
      for (const listener of this.#listeners.get(type) ?? [])
        call(listener as Listener<ChatEvent>, event)
  }
}

function call(listener: Listener<ChatEvent>, event: ChatEvent): void {
  try {
    listener(event)
  } catch (error) {
    // Reported as an uncaught error, like one of a browser's own listeners.
    queueMicrotask(() => {
      throw error
    })
  }
}
