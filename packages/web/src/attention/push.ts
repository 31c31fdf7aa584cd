// Web Push of this browser: how it is told of news while no page is open. The hub sends, the service worker shows.
import { Devices } from '@quayside/client/admin'
import type { AgentChatClient } from '@quayside/client'
import type { AlertKind } from '@quayside/protocol'
import type { Preferences } from '../shared/preferences.js'
import { problemOf } from '../shared/problem.js'
import { Store, useStore } from '../shared/store.js'

export type PushState =
  | { readonly is: 'off' | 'on' }
  /** Then there are notifications only while a page is open. */
  | { readonly is: 'failed'; readonly problem?: string }

/** The preference that switches each kind of news. */
export const NEWS_SWITCHES = {
  needsYou: 'notifyNeedsYou',
  finished: 'notifyFinished',
  failed: 'notifyFailed',
} as const satisfies Record<AlertKind, keyof Preferences>

const state = new Store<PushState>({ is: 'off' })

export function usePushState(): PushState {
  return useStore(state)
}

/** Whether the hub tells this browser of news while its pages are hidden. */
export function isPushed(): boolean {
  return state.get().is === 'on'
}

/** Makes the hub know what this browser wants now. Again and again is fine: the hub keeps one subscription of it. */
export async function keepSubscribed(
  client: AgentChatClient,
  kinds: readonly AlertKind[],
): Promise<void> {
  try {
    const manager = await pushManager()
    if (!manager) return state.set({ is: 'failed' })
    const { endpoint, keys } = await subscription(manager, await new Devices(client).pushKey())
    const { p256dh = '', auth = '' } = keys ?? {}
    await new Devices(client).subscribe({
      endpoint: endpoint ?? '',
      keys: { p256dh, auth },
      kinds: [...kinds],
    })
    state.set({ is: 'on' })
  } catch (error) {
    state.set({ is: 'failed', problem: whyNot(error) })
  }
}

/** Neither the hub nor the push service keeps anything of this browser. */
export async function unsubscribe(client: AgentChatClient): Promise<void> {
  state.set({ is: 'off' })
  try {
    const manager = await pushManager()
    const known = await manager?.getSubscription()
    if (!known) return
    await new Devices(client).unsubscribe()
    await known.unsubscribe()
  } catch (error) {
    state.set({ is: 'failed', problem: whyNot(error) })
  }
}

/** Browsers refuse in private windows, without a network, or when their maker's push service is switched off. */
function whyNot(error: unknown): string {
  return error instanceof DOMException ? error.message : problemOf(error)
}

async function pushManager(): Promise<PushManager | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration || !('pushManager' in registration)) return undefined
  return (await navigator.serviceWorker.ready).pushManager
}

async function subscription(manager: PushManager, key: string): Promise<PushSubscriptionJSON> {
  const known = await manager.getSubscription()
  if (known && base64Url(known.options.applicationServerKey) === key) return known.toJSON()
  // The hub has another key than it had: what it sends would be refused.
  await known?.unsubscribe()
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  return made.toJSON()
}

function base64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCodePoint(...new Uint8Array(bytes ?? new ArrayBuffer()))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
