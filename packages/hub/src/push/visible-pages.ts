// The devices with a visible page, as their pages report it. They need no push notification. Hubs of one database tell each other.
import { randomUUID } from 'node:crypto'
import type { VisiblePageStore } from '../store/shared-store.js'

/** A hub that dies has no visible pages any more after this time. */
const LIFETIME_MS = 60_000
const RENEW_MS = 20_000

export class VisiblePages {
  /** The sockets of visible pages, by credential. */
  readonly #pages = new Map<string, Set<object>>()
  readonly #shared: VisiblePageStore | undefined
  readonly #hub = randomUUID()
  #telling: Promise<void> = Promise.resolve()
  #renewing: NodeJS.Timeout | undefined

  constructor(shared?: VisiblePageStore) {
    this.#shared = shared
  }

  set(credentialId: string, page: object, isVisible: boolean): void {
    const pages = this.#pages.get(credentialId) ?? new Set()
    const wasVisible = this.#pages.has(credentialId)
    if (isVisible) this.#pages.set(credentialId, pages.add(page))
    else pages.delete(page)
    if (pages.size === 0) this.#pages.delete(credentialId)
    if (wasVisible !== this.#pages.has(credentialId)) this.#tell()
  }

  /** The credentials with a visible page, at any hub. */
  async all(): Promise<ReadonlySet<string>> {
    await this.#telling
    const elsewhere = (await this.#shared?.list()) ?? []
    return new Set([...this.#pages.keys(), ...elsewhere])
  }

  close(): void {
    clearTimeout(this.#renewing)
    this.#renewing = undefined
  }

  #tell(): void {
    const shared = this.#shared
    if (shared === undefined) return
    this.close()
    // In order. What fails is told again, or runs out at the other hubs.
    this.#telling = this.#telling
      .then(() => shared.replace(this.#hub, [...this.#pages.keys()], LIFETIME_MS))
      .catch(() => undefined)
    if (this.#pages.size > 0) this.#renewing = setTimeout(() => this.#tell(), RENEW_MS).unref()
  }
}
