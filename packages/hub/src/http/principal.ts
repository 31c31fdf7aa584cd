// Who sent this request: set by the sign-in gate, read by the routes.
import type { Request } from 'express'
import { HubError } from '../errors.js'
import type { Principal } from './sign-in.js'

const principals = new WeakMap<Request, Principal>()

export function setPrincipal(request: Request, principal: Principal): void {
  principals.set(request, principal)
}

export function principalOf(request: Request): Principal {
  const principal = principals.get(request)
  if (principal === undefined) throw new HubError('unauthorized')
  return principal
}
