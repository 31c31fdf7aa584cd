// The devices with a visible page, as their pages report it. They need no push notification.

export class VisiblePages {
  /** The sockets of visible pages, by credential. */
  readonly #pages = new Map<string, Set<object>>()

  set(credentialId: string, page: object, isVisible: boolean): void {
    const pages = this.#pages.get(credentialId) ?? new Set()
    if (isVisible) this.#pages.set(credentialId, pages.add(page))
    else pages.delete(page)
    if (pages.size === 0) this.#pages.delete(credentialId)
  }

  has(credentialId: string): boolean {
    return this.#pages.has(credentialId)
  }
}
