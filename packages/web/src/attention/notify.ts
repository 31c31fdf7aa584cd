// Notifications of the browser. It is asked for its permission only when a person pressed something that says so.
import { prefer } from '../shared/preferences.js'

/** Without HTTPS, except on localhost, browsers have none. */
export function canNotify(): boolean {
  return isSecureContext && 'Notification' in globalThis
}

/** Says whether notifications are on afterwards. */
export async function enableNotifications(): Promise<boolean> {
  const isGranted = (await Notification.requestPermission()) === 'granted'
  prefer({ notify: isGranted, wasOfferedNotifications: true })
  return isGranted
}

/** One for each session; a newer one takes the place of the older. */
export async function notify(title: string, body: string, path: string): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted') return
  const options = { body, tag: path, icon: '/icon-192.png', data: { path } }
  // With a service worker a click also works when this page is gone by then.
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker) return worker.showNotification(title, options)
  const shown = new Notification(title, options)
  shown.addEventListener('click', () => {
    focus()
    dispatchEvent(new CustomEvent('quayside:open', { detail: path }))
  })
}
