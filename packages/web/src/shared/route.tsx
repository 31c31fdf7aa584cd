// The address is the state: which page it names, and links that change it without loading the page again.
import { useSyncExternalStore } from 'react'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

export const SETTINGS_PAGES = [
  'general',
  'notifications',
  'agents',
  'processes',
  'storage',
  'access',
  'keyboard',
  'about',
] as const
export type SettingsPageName = (typeof SETTINGS_PAGES)[number]

export type Route =
  /** With what a link may fill in: `/new?repo=shop-api&agent=gemini&prompt=…`. */
  | {
      readonly page: 'home'
      readonly repo?: string | undefined
      readonly agent?: string | undefined
      readonly prompt?: string | undefined
      /** Another app shared something; see home/shared-things.ts. */
      readonly isShared?: boolean
    }
  | { readonly page: 'welcome' }
  /** `view` is a panel such as `changes`. */
  | { readonly page: 'session'; readonly id: string; readonly view?: string | undefined }
  /** Without a name it is the list of settings pages, which only a phone shows alone. */
  | { readonly page: 'settings'; readonly name: SettingsPageName | undefined }
  /** One that belongs to no repository, as for the sign-in of an agent. */
  | { readonly page: 'terminal'; readonly id: string }
  | { readonly page: 'missing' }

const MOVED = 'quayside:moved'

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  return routeOf(new URL(address, location.origin))
}

export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  dispatchEvent(new Event(MOVED))
}

export function sessionPath(id: string, view?: string): string {
  return `/s/${encodeURIComponent(id)}${view === undefined ? '' : `/${view}`}`
}

/** A session at the place where a search found something. */
export function foundPath({ id, foundSeq }: { id: string; foundSeq?: number }): string {
  return `${sessionPath(id)}${foundSeq === undefined ? '' : `#m-${foundSeq}`}`
}

/** The event whose row the address names, as `foundPath` does. */
export function useNamedSeq(): number | undefined {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const [, seq] = /^#m-(\d+)$/.exec(hash) ?? []
  return seq === undefined ? undefined : Number(seq)
}

type Asked = { readonly repo?: string | undefined; readonly agent?: string | undefined }

export function newSessionPath(asked: Asked): string {
  const query = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `/new?${query.join('&')}`
}

export function settingsPath(page: SettingsPageName): string {
  return `/settings/${page}`
}

export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    props.onClick?.(event)
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.button !== 0 || !isPlain || event.defaultPrevented) return
    event.preventDefault()
    navigate(props.href)
  }
  return <a {...props} onClick={follow} />
}

export function routeOf({ pathname, searchParams }: URL): Route {
  const [first = '', second, third, ...rest] = pathname.split('/').slice(1).map(decoded)
  if (rest.length > 0) return { page: 'missing' }
  switch (first) {
    case '':
    case 'new':
      return second === undefined ? homeRoute(searchParams) : { page: 'missing' }
    case 'welcome':
      return { page: 'welcome' }
    case 's':
      return second ? { page: 'session', id: second, view: third } : { page: 'missing' }
    case 'terminals':
      return second && third === undefined ? { page: 'terminal', id: second } : { page: 'missing' }
    case 'settings':
      return settingsRoute(second)
    default:
      return { page: 'missing' }
  }
}

function homeRoute(query: URLSearchParams): Route {
  const asked = (name: string) => query.get(name) ?? undefined
  const filledIn = { repo: asked('repo'), agent: asked('agent'), prompt: asked('prompt') }
  return { page: 'home', ...filledIn, isShared: query.has('shared') }
}

function settingsRoute(name: string | undefined): Route {
  if (name === undefined || name === '') return { page: 'settings', name: undefined }
  const known = SETTINGS_PAGES.find((page) => page === name)
  return known ? { page: 'settings', name: known } : { page: 'missing' }
}

/** A broken escape in an address names nothing, and must not break the page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(MOVED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(MOVED, listener)
  }
}
