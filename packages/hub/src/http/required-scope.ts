// What a request needs to be allowed, by the table of routes. What is not in the table needs everything.
import {
  includesScope,
  ROUTES,
  type Scope,
  scopeOf,
  SCOPES,
  SOCKET_SCOPES,
  type SocketMethod,
} from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import type { Principal } from './sign-in.js'

// As Express matches them: any case, with or without a slash at the end.
const NEEDED = ROUTES.filter(({ isOpen }) => !isOpen).map((route) => ({
  method: route.method.toUpperCase(),
  path: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
  scope: scopeOf(route),
}))

/** The largest of all routes that fit, so that an address which fits two is not a way around. */
export function scopeOfRequest(method: string, path: string): Scope {
  // Not in the table of REST: ACP has a table of its own, and an ACP client commands sessions.
  if (/^\/acp\/?$/i.test(path)) return 'write'
  const wanted = method === 'HEAD' ? 'GET' : method
  const scopes = NEEDED.filter((route) => route.method === wanted && route.path.test(path)).map(
    ({ scope }) => SCOPES.indexOf(scope),
  )
  return scopes.length === 0 ? 'admin' : (SCOPES[Math.max(...scopes)] ?? 'admin')
}

export function scopeOfMethod(method: string): Scope {
  return SOCKET_SCOPES[method as SocketMethod] ?? 'admin'
}

/** Throws `scope_too_small`, which says what is needed. */
export function requireScope({ scope }: Principal, needed: Scope): void {
  if (includesScope(scope, needed)) return
  throw new HubError('scope_too_small', {
    message: `This needs the scope "${needed}"; yours is "${scope}". Ask for a token or a sign-in code with it.`,
    needed,
    scope,
  })
}
