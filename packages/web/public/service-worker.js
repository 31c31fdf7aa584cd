// Keeps the shell of the app, so that it opens without a network and says what is wrong, and handles clicks on
// notifications. Data of the hub is never kept here: /api, /media and /ws always go to the network.

const SHELL = 'quayside-shell'
const PAGE = '/'
const MAX_KEPT = 80

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add(PAGE)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && !/^\/(api|media|metrics)(\/|$)/.test(pathname))
    event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path ?? PAGE))
})

/** The newest page whenever the hub answers; the kept one when it does not. */
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

/** Names of assets change with their content, so what is kept is always right. */
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
