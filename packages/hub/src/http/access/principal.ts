// The sender of a request: set by the sign-in gate, read by the routes, and checked against the scope of a command.
import { includesScope, type Scope } from '@quayside/protocol'
import type { Request } from 'express'
import { HubError } from '../../errors.js'

/** The sender of a request; `by` is the name that events carry. */
export type Caller = {
  readonly by: string
  readonly scope: Scope
  /** Absent for the tokens that live as long as the hub: they are not revoked. */
  readonly credentialId?: string | undefined
  /** Another hub sends the request for its caller. It is not passed on again. */
  readonly isForwarded?: boolean | undefined
}

const callers = new WeakMap<Request, Caller>()

export function setCaller(request: Request, caller: Caller): void {
  callers.set(request, caller)
}

export function callerOf(request: Request): Caller {
  const caller = callers.get(request)
  if (caller === undefined) throw new HubError('unauthorized')
  return caller
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
