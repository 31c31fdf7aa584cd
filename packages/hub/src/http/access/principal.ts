// The sender of a request: set by the sign-in gate, read by the routes, and checked against the scope of a command.
import { includesScope, type Scope } from '@quayside/protocol'
import type { Request } from 'express'
import { HubError } from '../../errors.js'
import type { Principal } from './sign-in.js'

/** A principal as commands see it; `by` is the name that events carry. */
export type Caller = {
  readonly by: string
  readonly scope: Scope
  readonly credentialId?: string | undefined
}

const principals = new WeakMap<Request, Principal>()

export function setPrincipal(request: Request, principal: Principal): void {
  principals.set(request, principal)
}

export function callerOf(request: Request): Caller {
  const principal = principals.get(request)
  if (principal === undefined) throw new HubError('unauthorized')
  return toCaller(principal)
}

export function toCaller({ name, scope, credentialId }: Principal): Caller {
  return { by: name, scope, credentialId }
}

/** Throws `scope_too_small`, which names the scope that is needed. */
export function requireScope({ scope }: Pick<Caller, 'scope'>, needed: Scope): void {
  if (includesScope(scope, needed)) return
  throw new HubError('scope_too_small', {
    message: `This needs the scope "${needed}"; yours is "${scope}". Ask for a token or a sign-in code with it.`,
    needed,
    scope,
  })
}
