// Notifications of the browser. It is asked for its permission only when a person pressed something that says so.
import { prefer } from '../shared/preferences.js'
import { navigate } from '../shared/route.js'

/** Whether this browser can notify, or why not. */
export type NotifySupport = 'possible' | 'blocked' | 'needs_https' | 'ios_install' | 'unsupported'

export function notifySupport(): NotifySupport {
  // Without HTTPS, except on localhost, browsers have no notifications.
  if (!isSecureContext) return 'needs_https'
  if (!('Notification' in globalThis)) return isInSafariOfPhone() ? 'ios_install' : 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'possible'
}

/** iOS has notifications only for apps on the Home Screen; there `standalone` is true. */
function isInSafariOfPhone(): boolean {
  return 'standalone' in navigator && navigator.standalone === false
}

/** Says whether notifications are on afterwards. */
export async function enableNotifications(): Promise<boolean> {
  const isGranted = (await Notification.requestPermission()) === 'granted'
  prefer({ notify: isGranted, wasOfferedNotifications: true })
  return isGranted
}

/** One for each session; a newer one takes the place of the older. */
export async function notify(title: string, body: string, path: string): Promise<void> {
  if (notifySupport() !== 'possible' || Notification.permission !== 'granted') return
  const options = { body, tag: path, icon: '/icon-192.png', data: { path } }
  // With a service worker a click also works when this page is gone by then.
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker) return worker.showNotification(title, options)
  const shown = new Notification(title, options)
  shown.addEventListener('click', () => {
    focus()
    navigate(path)
  })
}

/** A click on a notification of the service worker says which session to open. Said before somebody listens, it is lost. */
export function openFromNotifications(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent) => {
    const path: unknown = Object(data).open
    if (typeof path === 'string' && path.startsWith('/s/')) navigate(path)
  })
}
