// Detects that the hub or the service worker has a new version, and offers a reload. It never reloads by itself.
import { HubUpkeep } from '@quayside/client/admin'
import type { AgentChatClient } from '@quayside/client'
import { showToast } from '../shared/controls/toasts.js'
import { strings } from '../strings/strings.js'

/** Defined by the build. */
declare const QUAYSIDE_VERSION: string

const WAIT_FOR_WORKER_MS = 3_000

export class Updates {
  readonly #client: AgentChatClient
  #isOffered = false

  constructor(client: AgentChatClient) {
    this.#client = client
    // Updating a hub restarts it, so the version is checked after each reconnect.
    client.on('connection', ({ state }) => {
      if (state === 'open') void this.#compare()
    })
  }

  /** A new service worker waits until the person reloads. */
  watch(registration: ServiceWorkerRegistration): void {
    const { installing, waiting } = registration
    if (waiting && navigator.serviceWorker.controller) this.#offerReload(strings.update.ready)
    installing?.addEventListener('statechange', () => {
      // The first service worker replaces no version.
      if (installing.state === 'installed' && navigator.serviceWorker.controller)
        this.#offerReload(strings.update.ready)
    })
  }

  async #compare(): Promise<void> {
    try {
      const { version } = await new HubUpkeep(this.#client).health()
      if (version !== QUAYSIDE_VERSION) this.#offerReload(strings.update.hub)
      await (await navigator.serviceWorker?.getRegistration())?.update()
    } catch {
      // The hub is unreachable; the next connection checks again.
    }
  }

  #offerReload(text: string): void {
    if (this.#isOffered) return
    this.#isOffered = true
    showToast({
      text,
      isKept: true,
      action: { label: strings.update.reload, run: () => void reload() },
    })
  }
}

/** Activates the waiting service worker, then reloads. Drafts stay in this browser. */
async function reload(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.waiting) {
    const takenOver = new Promise<void>((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', () => resolve())
      setTimeout(() => resolve(), WAIT_FOR_WORKER_MS)
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes none
    registration.waiting.postMessage({ takeOver: true })
    await takenOver
  }
  location.reload()
}
