// Notices that this page is of another version than the hub, or that another one is ready, and says so. It never reloads by itself.
import { HubUpkeep } from '@quayside/client/admin'
import type { AgentChatClient } from '@quayside/client'
import { showToast } from '../shared/controls/toasts.js'
import { strings } from '../strings/strings.js'

/** Written in by the build. */
declare const QUAYSIDE_VERSION: string

const WAIT_FOR_WORKER_MS = 3_000

export class Updates {
  readonly #client: AgentChatClient
  #isSaid = false

  constructor(client: AgentChatClient) {
    this.#client = client
    // Whoever updates a hub restarts it.
    client.on('connection', ({ state }) => {
      if (state === 'open') void this.#compare()
    })
  }

  /** A newer service worker waits until someone wants the new version. */
  watch(registration: ServiceWorkerRegistration): void {
    const { installing, waiting } = registration
    if (waiting && navigator.serviceWorker.controller) this.#offerReload(strings.update.ready)
    installing?.addEventListener('statechange', () => {
      // The first one of all replaces nothing.
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
      // The hub is gone again; the next connection asks again.
    }
  }

  #offerReload(text: string): void {
    if (this.#isSaid) return
    this.#isSaid = true
    showToast({
      text,
      isKept: true,
      action: { label: strings.update.reload, run: () => void reload() },
    })
  }
}

/** Into the new version: a worker that waits takes over first. What was written is kept in this browser. */
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
