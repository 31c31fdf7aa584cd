// Keeps the shell of the app, so that it opens without a network and says what is wrong, shows notifications that the hub
// sends, and takes what other apps share. Data of the hub is never kept here: /api, /media and /ws always go to the network.

const SHELL = 'quayside-shell'
const PAGE = '/'
const MAX_KEPT = 80
/** What another app shared, until the page has taken it: src/home/shared-things.ts. */
const SHARED = 'quayside-shared'
const MAX_SHARED = 10

/** What the hub tells; the page says the same in src/strings/en/settings.ts. */
const NEWS = {
  needsYou: 'Needs your decision',
  finished: 'Is done',
  failed: 'Stopped unexpectedly',
  test: 'Notifications reach this device.',
}

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add(PAGE)))
})

self.addEventListener('message', (event) => {
  // A newer worker waits until a person wants it: nothing changes under their hands.
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
  if (request.mode === 'navigate' && !/^\/(api|media|metrics)(\/|$)/.test(pathname))
    event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

self.addEventListener('push', (event) => {
  event.waitUntil(tell(event.data?.json() ?? {}))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path ?? PAGE))
})

/** One for each session; a newer one takes the place of the older. Browsers want one for every push. */
function tell({ kind, sessionId, title }) {
  const path = sessionId ? `/s/${encodeURIComponent(sessionId)}` : PAGE
  const body = NEWS[kind] ?? ''
  const options = { body, tag: path, renotify: true, icon: '/icon-192.png', data: { path } }
  return self.registration.showNotification(title || 'Quayside', options)
}

/** A text and pictures from another app: kept here, then taken by the page for a new session. */
async function keepShared(request) {
  const form = await request.formData()
  const texts = ['title', 'text', 'url'].map((name) => form.get(name)).filter(Boolean)
  const pictures = form.getAll('pictures').slice(0, MAX_SHARED)
  await caches.delete(SHARED)
  const shared = await caches.open(SHARED)
  await shared.put('/share/text', new Response(texts.join('\n')))
  for (const [place, picture] of pictures.entries())
    await shared.put(`/share/picture-${place}`, new Response(picture))
  return Response.redirect('/new?shared=1', 303)
}

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
