// The service worker: caches the app shell so that it opens offline, shows push notifications, and receives content
// that other apps share. It never caches data of the hub: /api, /media and /ws always go to the network.

const SHELL = 'quayside-shell'
const PAGE = '/'
const MAX_KEPT = 80
/** Content that another app shared, until src/home/share-target.ts takes it. */
const SHARED = 'quayside-shared'
const MAX_SHARED = 10

/** The texts of push notifications; the page has the same ones in src/strings/en/settings.ts. */
const ALERT_TEXTS = {
  needsYou: 'Needs your decision',
  finished: 'Is done',
  failed: 'Stopped unexpectedly',
  test: 'Notifications reach this device.',
}

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add(PAGE)))
})

self.addEventListener('message', (event) => {
  // A new worker waits until the person asks for it, so that a running page does not change.
  if (event.data?.takeOver) self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === '/share') event.respondWith(keepShared(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && !/^\/(api|media|metrics|diagram\.html)(\/|$)/.test(pathname))
    event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showAlert(event.data?.json() ?? {}))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path ?? PAGE))
})

/**
 * Shows one notification per session; a newer one replaces the older one. Browsers require a notification for every
 * push.
 */
function showAlert({ kind, sessionId, title }) {
  const path = sessionId ? `/s/${encodeURIComponent(sessionId)}` : PAGE
  const body = ALERT_TEXTS[kind] ?? ''
  const options = { body, tag: path, renotify: true, icon: '/icon-192.png', data: { path } }
  return self.registration.showNotification(title || 'Quayside', options)
}

/** Stores a shared text and its pictures; the page takes them for a new session. */
async function keepShared(request) {
  const form = await request.formData()
  const texts = ['title', 'text', 'url'].map((name) => form.get(name)).filter(Boolean)
  const pictures = form.getAll('pictures').slice(0, MAX_SHARED)
  await caches.delete(SHARED)
  const shared = await caches.open(SHARED)
  await shared.put('/share/text', new Response(texts.join('\n')))
  for (const [index, picture] of pictures.entries())
    await shared.put(`/share/picture-${index}`, new Response(picture))
  return Response.redirect('/new?shared=1', 303)
}

/** The page from the network, or the cached one when the hub does not answer. */
async function page(request) {
  const shell = await caches.open(SHELL)
  try {
    const answer = await fetch(request)
    if (answer.ok) await shell.put(PAGE, answer.clone())
    return answer
  } catch {
    return (await shell.match(PAGE)) ?? Response.error()
  }
}

/** The names of assets contain a hash of their content, so a cached asset is never stale. */
async function asset(request) {
  const shell = await caches.open(SHELL)
  const kept = await shell.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    await shell.put(request, answer.clone())
    await forgetOldest(shell)
  }
  return answer
}

async function forgetOldest(shell) {
  const assets = (await shell.keys()).filter(({ url }) => new URL(url).pathname !== PAGE)
  for (const request of assets.slice(0, -MAX_KEPT)) await shell.delete(request)
}

async function open(path) {
  const [client] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!client) return self.clients.openWindow(path)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of a worker takes none
  client.postMessage({ open: path })
  return client.focus()
}
