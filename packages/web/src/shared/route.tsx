// The router: parses the address into a route, and links that navigate without a reload.
import { useMemo, useSyncExternalStore } from 'react'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

export const SETTINGS_PAGES = [
  'general',
  'notifications',
  'agents',
  'repositories',
  'processes',
  'storage',
  'access',
  'keyboard',
  'about',
] as const
export type SettingsPageName = (typeof SETTINGS_PAGES)[number]

export const PANEL_TABS = ['changes', 'terminals', 'files', 'preview', 'wire'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

export type Route =
  /** With values that a link fills in: `/new?repo=shop-api&agent=gemini&prompt=…`. */
  | {
      readonly page: 'home'
      readonly repo?: string | undefined
      readonly agent?: string | undefined
      readonly prompt?: string | undefined
      /** Another app shared content; see home/share-target.ts. */
      readonly isShared?: boolean
    }
  | { readonly page: 'welcome' }
  | SessionRoute
  /** A repository with its sessions and the form for a new one. */
  | { readonly page: 'repo'; readonly id: string }
  /** Undefined for the list of settings pages, which only phones show alone. */
  | { readonly page: 'settings'; readonly name: SettingsPageName | undefined }
  /** A terminal that belongs to no repository, such as the sign-in of an agent. */
  | { readonly page: 'terminal'; readonly id: string }
  /** Several agents on one task. */
  | { readonly page: 'compare'; readonly id: string }
  | { readonly page: 'missing' }

/** `/s/:id/files?file=src/app.ts&line=7#m-:itemId`. */
export type SessionRoute = {
  readonly page: 'session'
  readonly id: string
  /** The open panel. */
  readonly tab: PanelTab | undefined
  /** The item to scroll to: its id, or the number of its event. */
  readonly item: string | undefined
} & PanelLocation

/** The content of a panel. */
export type PanelLocation = {
  /** The shown file, and the highlighted line. */
  readonly file: string | undefined
  readonly line: number | undefined
  /** The shown terminal. */
  readonly terminal: string | undefined
}

const MOVED = 'quayside:moved'
const ITEM = '#m-'

export function useRoute(): Route {
  const href = useSyncExternalStore(subscribe, () => location.href)
  return useMemo(() => routeOf(new URL(href)), [href])
}

/** `state` is stored in the history entry. */
export function navigate(
  path: string,
  { replace = false, state }: { readonly replace?: boolean; readonly state?: object } = {},
): void {
  if (replace) history.replaceState(state, '', path)
  else history.pushState(state, '', path)
  dispatchEvent(new Event(MOVED))
}

type InSession = Partial<Omit<SessionRoute, 'page' | 'id'>>

export function sessionPath(id: string, { tab, item, ...location }: InSession = {}): string {
  const panel = tab === undefined ? '' : `/${tab}`
  const { file, line, terminal } = location
  const query = queryOf({ file, line: line?.toString(), terminal })
  const hash = item === undefined ? '' : `${ITEM}${encodeURIComponent(item)}`
  return `/s/${encodeURIComponent(id)}${panel}${query}${hash}`
}

/** The full address of an item, for sharing. */
export function linkTo(sessionId: string, item: string): string {
  return new URL(sessionPath(sessionId, { item }), location.origin).href
}

export function repoPath(id: string): string {
  return `/repos/${encodeURIComponent(id)}`
}

type NewSession = {
  readonly repo?: string | undefined
  readonly agent?: string | undefined
  readonly prompt?: string | undefined
}

/** `/new?repo=shop-api&agent=gemini&prompt=…`. */
export function newSessionPath(input: NewSession): string {
  return `/new${queryOf(input)}`
}

function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** A session at the item that a search found. */
export function foundPath({ id, foundSeq }: { id: string; foundSeq?: number }): string {
  return sessionPath(id, foundSeq === undefined ? {} : { item: String(foundSeq) })
}

export function settingsPath(page: SettingsPageName): string {
  return `/settings/${page}`
}

/** The list of agents, at one of them. */
export function agentPath(id: string): string {
  return `${settingsPath('agents')}#agent-${encodeURIComponent(id)}`
}

export function terminalPath(id: string): string {
  return `/terminals/${encodeURIComponent(id)}`
}

export function comparePath(id: string): string {
  return `/compare/${encodeURIComponent(id)}`
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

export function routeOf({ pathname, searchParams, hash }: URL): Route {
  const [first = '', second, third, ...rest] = pathname.split('/').slice(1).map(decoded)
  if (rest.length > 0) return { page: 'missing' }
  switch (first) {
    case '':
    case 'new':
      return second === undefined ? homeRoute(searchParams) : { page: 'missing' }
    case 'welcome':
      return { page: 'welcome' }
    case 's':
      return sessionRoute(second, third, { query: searchParams, hash })
    case 'repos':
      return second && third === undefined ? { page: 'repo', id: second } : { page: 'missing' }
    case 'agents':
      return second === undefined ? { page: 'settings', name: 'agents' } : { page: 'missing' }
    case 'terminals':
      return second && third === undefined ? { page: 'terminal', id: second } : { page: 'missing' }
    case 'compare':
      return second && third === undefined ? { page: 'compare', id: second } : { page: 'missing' }
    case 'settings':
      return settingsRoute(second)
    default:
      return { page: 'missing' }
  }
}

type Named = { readonly query: URLSearchParams; readonly hash: string }

function sessionRoute(id: string | undefined, view = '', { query, hash }: Named): Route {
  const tab = PANEL_TABS.find((name) => name === view)
  if (!id || (view !== '' && tab === undefined)) return { page: 'missing' }
  const item = hash.startsWith(ITEM) ? decoded(hash.slice(ITEM.length)) : undefined
  return { page: 'session', id, tab, item, ...panelLocationIn(query) }
}

function panelLocationIn(query: URLSearchParams): PanelLocation {
  const line = Number(query.get('line'))
  return {
    file: query.get('file') ?? undefined,
    line: Number.isSafeInteger(line) && line > 0 ? line : undefined,
    terminal: query.get('terminal') ?? undefined,
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

/** An invalid escape in an address must not break the page. */
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
