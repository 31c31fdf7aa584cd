// The address is the state: which page it names, and links that change it without loading the page again.
import { useSyncExternalStore } from 'react'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

export type Route = { readonly page: 'home' } | { readonly page: 'session'; readonly id: string }

const MOVED = 'quayside:moved'

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, () => location.pathname))
}

export function navigate(path: string): void {
  history.pushState(null, '', path)
  dispatchEvent(new Event(MOVED))
}

export function sessionPath(id: string): string {
  return `/s/${encodeURIComponent(id)}`
}

export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  function follow(event: MouseEvent) {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.button !== 0 || !isPlain) return
    event.preventDefault()
    navigate(props.href)
  }
  return <a {...props} onClick={follow} />
}

function routeOf(path: string): Route {
  const [, id] = /^\/s\/([^/]+)$/.exec(path) ?? []
  return id === undefined ? { page: 'home' } : { page: 'session', id: decodeURIComponent(id) }
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(MOVED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(MOVED, listener)
  }
}
