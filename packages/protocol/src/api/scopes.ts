// The scopes of a sign-in or token. Each scope includes those before it.

/** `read` looks, `write` works with agents, `admin` also decides who may do what, and has terminals. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export function includesScope(granted: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(needed)
}
