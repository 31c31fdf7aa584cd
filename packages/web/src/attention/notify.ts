// The browser's notifications. The page asks for the permission only after a click on a control that says so.
import { prefer } from '../shared/preferences.js'
import { navigate } from '../shared/route.js'

/** `possible`, or the reason why this browser cannot notify. */
export type NotifySupport = 'possible' | 'blocked' | 'needs_https' | 'ios_install' | 'unsupported'

export function notifySupport(): NotifySupport {
  // Browsers have notifications only over HTTPS and on localhost.
  if (!isSecureContext) return 'needs_https'
  if (!('Notification' in globalThis)) return isInSafariOfPhone() ? 'ios_install' : 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'possible'
}

/** iOS notifies only for apps on the Home Screen, where `standalone` is true. */
function isInSafariOfPhone(): boolean {
  return 'standalone' in navigator && navigator.standalone === false
}

/** Resolves with true when notifications are on. */
export async function enableNotifications(): Promise<boolean> {
  const isGranted = (await Notification.requestPermission()) === 'granted'
  prefer({ notify: isGranted, wasOfferedNotifications: true })
  return isGranted
}

/** One notification per session; a newer one replaces the older one. */
export async function notify(title: string, body: string, path: string): Promise<void> {
  if (notifySupport() !== 'possible' || Notification.permission !== 'granted') return
  const options = { body, tag: path, icon: '/icon-192.png', data: { path } }
  // A notification of the service worker can be clicked after this page was closed.
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker) return worker.showNotification(title, options)
  const shown = new Notification(title, options)
  shown.addEventListener('click', () => {
    focus()
    navigate(path)
  })
}

/**
 * Opens the session whose notification was clicked. Call before rendering: the service worker's message is not
 * repeated.
 */
export function openFromNotifications(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent) => {
    const path: unknown = Object(data).open
    if (typeof path === 'string' && path.startsWith('/s/')) navigate(path)
  })
}
