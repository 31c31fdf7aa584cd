// Counts the listeners of all emitters and event targets of this process that are still reachable.
import { EventEmitter, getEventListeners } from 'node:events'

type Init = (this: EventEmitter, options?: unknown) => void
/** Called by every constructor of an emitter, and not in its types. */
const emitters = EventEmitter as unknown as { init: Init }

/** From its construction on, until it is disposed of. */
export class LivingListeners implements Disposable {
  readonly #emitters = new Set<WeakRef<EventEmitter>>()
  readonly #targets = new Map<string, Set<WeakRef<EventTarget>>>()
  readonly #seen = new WeakSet<EventTarget>()
  readonly #init = emitters.init
  // Called with its target below.
  // oxlint-disable-next-line typescript/unbound-method
  readonly #add = EventTarget.prototype.addEventListener

  constructor() {
    const [init, add] = [this.#init, this.#add]
    const noteEmitter = (emitter: EventEmitter): void =>
      void this.#emitters.add(new WeakRef(emitter))
    const noteTarget = (target: EventTarget, type: string): void => this.#noteTarget(target, type)
    emitters.init = function (options) {
      init.call(this, options)
      noteEmitter(this)
    }
    EventTarget.prototype.addEventListener = function (...listener) {
      noteTarget(this, listener[0])
      add.apply(this, listener)
    }
  }

  get count(): number {
    let count = 0
    for (const reference of this.#emitters) {
      const emitter = reference.deref()
      if (emitter === undefined) this.#emitters.delete(reference)
      else for (const name of emitter.eventNames()) count += emitter.listenerCount(name)
    }
    for (const [type, references] of this.#targets)
      for (const reference of references) {
        const target = reference.deref()
        if (target === undefined) references.delete(reference)
        else count += getEventListeners(target, type).length
      }
    return count
  }

  #noteTarget(target: EventTarget, type: string): void {
    if (this.#seen.has(target)) return
    this.#seen.add(target)
    const references = this.#targets.get(type) ?? new Set()
    this.#targets.set(type, references.add(new WeakRef(target)))
  }

  [Symbol.dispose](): void {
    emitters.init = this.#init
    EventTarget.prototype.addEventListener = this.#add
  }
}
