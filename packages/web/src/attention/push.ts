// Web Push for this browser. The hub sends, and the service worker shows the notification while no page is open.
import { Devices } from '@quayside/client/admin'
import type { AgentChatClient } from '@quayside/client'
import type { AlertKind } from '@quayside/protocol'
import type { Preferences } from '../shared/preferences.js'
import { problemOf } from '../shared/problem.js'
import { Store, useStore } from '../shared/store.js'

export type PushState =
  | { readonly is: 'off' | 'on' }
  /** This browser notifies only while a page is open. */
  | { readonly is: 'failed'; readonly problem?: string }

/** The preference that controls each kind of alert. */
export const ALERT_SWITCHES = {
  needsYou: 'notifyNeedsYou',
  finished: 'notifyFinished',
  failed: 'notifyFailed',
} as const satisfies Record<AlertKind, keyof Preferences>

const state = new Store<PushState>({ is: 'off' })

export function usePushState(): PushState {
  return useStore(state)
}

/** True when the hub pushes alerts to this browser while its pages are hidden. */
export function isPushed(): boolean {
  return state.get().is === 'on'
}

/** Sends this browser's current choices to the hub. Idempotent: the hub keeps one subscription per browser. */
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
    state.set({ is: 'failed', problem: refusalOf(error) })
  }
}

/** Removes the subscription from the hub and from the push service. */
export async function unsubscribe(client: AgentChatClient): Promise<void> {
  state.set({ is: 'off' })
  try {
    const manager = await pushManager()
    const known = await manager?.getSubscription()
    if (!known) return
    await new Devices(client).unsubscribe()
    await known.unsubscribe()
  } catch (error) {
    state.set({ is: 'failed', problem: refusalOf(error) })
  }
}

/** Browsers refuse in private windows, offline, or when their vendor's push service is disabled. */
function refusalOf(error: unknown): string {
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
  // The hub has a new key; the browser would reject pushes that are signed with it.
  await known?.unsubscribe()
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  return made.toJSON()
}

function base64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCodePoint(...new Uint8Array(bytes ?? new ArrayBuffer()))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
