// What a sign-in or token may do. Each scope includes those before it.
import type { SocketMethod } from './input-schemas.js'
import type { Route } from './route.js'

/** `read` looks, `write` works with agents, `admin` also decides who may do what, and has terminals. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export function includesScope(granted: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(needed)
}

/** Looking needs `read`, everything else `write`, unless the table says otherwise. */
export function scopeOf({ method, scope }: Pick<Route, 'method' | 'scope'>): Scope {
  return scope ?? (method === 'get' ? 'read' : 'write')
}

/** What each WebSocket request needs. */
export const SOCKET_SCOPES: Readonly<Record<SocketMethod, Scope>> = {
  'session/new': 'write',
  'session/prompt': 'write',
  'session/cancel': 'write',
  'session/complete': 'write',
  'session/resume': 'write',
  'session/delete': 'write',
  'session/change': 'write',
  'session/queue': 'read',
  'session/follow': 'read',
  'session/unfollow': 'read',
  'sessions/watch': 'read',
  'page/visible': 'read',
  'queue/edit': 'write',
  'queue/remove': 'write',
  'queue/clear': 'write',
  'option/set': 'write',
  'permission/answer': 'write',
  'question/answer': 'write',
  'terminal/follow': 'admin',
  'terminal/watch': 'read',
  'terminal/unfollow': 'read',
  'terminal/input': 'admin',
  'terminal/resize': 'admin',
  'terminal/close': 'admin',
}
