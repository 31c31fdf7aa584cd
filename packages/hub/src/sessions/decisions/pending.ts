// Requests for which an agent waits. Each gets exactly one resolution, committed before the agent is answered. First answer wins.
import type { EventBody } from '@quayside/protocol'
import { whyAborted } from '../../agents/connection/agent-requests.js'
import { type Log, logRejection } from '../../log.js'

type Open<Item, Resolution> = {
  readonly item: Item
  readonly settle: (resolution: Resolution) => void
  readonly stopWaiting: () => void
}

export type PendingOptions = {
  readonly append: (body: EventBody) => Promise<unknown>
  readonly log: Log
}

/** When a request that is asked now expires; nothing with a timeout of Infinity. */
export function expiryOf(timeoutMs: number): { readonly expiresAt?: string } {
  if (!Number.isFinite(timeoutMs)) return {}
  return { expiresAt: new Date(Date.now() + timeoutMs).toISOString() }
}

/** Resolved requests that are remembered, so that a late second answer learns the first one. */
const MAX_REMEMBERED = 1_000

export class Pending<Item, Resolution> {
  readonly #append: PendingOptions['append']
  readonly #log: Log
  readonly #open = new Map<string, Open<Item, Resolution>>()
  readonly #resolved = new Map<string, Resolution>()

  constructor({ append, log }: PendingOptions) {
    this.#append = append
    this.#log = log
  }

  get size(): number {
    return this.#open.size
  }

  list(): Item[] {
    return [...this.#open.values()].map(({ item }) => item)
  }

  ids(): string[] {
    return [...this.#open.keys()]
  }

  find(id: string): Item | undefined {
    return this.#open.get(id)?.item
  }

  findResolution(id: string): Resolution | undefined {
    return this.#resolved.get(id)
  }

  /** Opens a request; the promise resolves with its resolution. */
  ask(
    id: string,
    { item, asked }: { item: Item; asked: EventBody },
    waiting: {
      /** Infinity to wait for ever. */
      timeoutMs: number
      signal: AbortSignal
      onTimeout: () => Promise<unknown>
      onAborted: (reason: ReturnType<typeof whyAborted>) => Promise<unknown>
    },
  ): Promise<Resolution> {
    return new Promise((settle, reject) => {
      const giveUp = (work: Promise<unknown>): void =>
        logRejection(this.#log, 'giving up a request', work)
      const timer = Number.isFinite(waiting.timeoutMs)
        ? setTimeout(() => giveUp(waiting.onTimeout()), waiting.timeoutMs)
        : undefined
      const { signal } = waiting
      const onAbort = (): void => giveUp(waiting.onAborted(whyAborted(signal)))
      signal.addEventListener('abort', onAbort, { once: true })
      const stopWaiting = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      this.#open.set(id, { item, settle, stopWaiting })
      this.#append(asked).catch((error: unknown) => {
        stopWaiting()
        this.#open.delete(id)
        reject(error)
      })
    })
  }

  /** Closes the request at once, so that only one of two answers in the same tick gets true. Reopens it when the resolution cannot be stored. */
  async resolve(id: string, resolution: Resolution, body: EventBody): Promise<boolean> {
    const open = this.#open.get(id)
    if (open === undefined) return false
    this.#open.delete(id)
    this.#remember(id, resolution)
    try {
      await this.#append(body)
    } catch (error) {
      this.#open.set(id, open)
      this.#resolved.delete(id)
      throw error
    }
    open.stopWaiting()
    open.settle(resolution)
    return true
  }

  #remember(id: string, resolution: Resolution): void {
    this.#resolved.set(id, resolution)
    if (this.#resolved.size <= MAX_REMEMBERED) return
    const [oldest] = this.#resolved.keys()
    if (oldest !== undefined) this.#resolved.delete(oldest)
  }
}
