// The browser's view of the network. Outside of browsers, the network counts as available.

const LOOPBACK = /(^|\.)localhost$|^127\.|^\[::1\]$/

/** True when the address is unreachable. A hub on the same machine is reachable without a network. */
export function isOffline(url: string): boolean {
  const browser: Partial<Navigator> | undefined = globalThis.navigator
  return browser?.onLine === false && !LOOPBACK.test(new URL(url).hostname)
}

/** True while a person can see the page. */
export function isPageVisible(): boolean {
  const page: Document | undefined = globalThis.document
  return page !== undefined && !page.hidden
}

/** Calls back when the network or the page may be back, and when the network may be lost. Returns a function that stops it. */
export function watchNetwork(onBack: () => void, onGone: () => void): () => void {
  const page: Document | undefined = globalThis.document
  if (page === undefined) return () => {}
  const onVisible = () => {
    if (!page.hidden) onBack()
  }
  const stopped = new AbortController()
  const { signal } = stopped
  for (const type of ['online', 'pageshow']) globalThis.addEventListener(type, onBack, { signal })
  globalThis.addEventListener('offline', onGone, { signal })
  page.addEventListener('visibilitychange', onVisible, { signal })
  return () => stopped.abort()
}
