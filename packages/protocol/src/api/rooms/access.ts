// Declares the commands for sign-in, one-time codes and tokens, and for the ways by which other devices reach the hub.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described, optional } from '../fields.js'
import { SCOPES } from '../scopes.js'

const scopeSchema = z.enum(SCOPES, `scope is one of ${SCOPES.join(', ')}.`)
const NAME = 'A name has 1 to 64 characters.'
const nameSchema = z.string(NAME).trim().min(1, NAME).max(64, NAME)

export const loginSchema = z.strictObject({
  code: z.string('The code is missing.').min(1, 'The code is missing.').max(256),
})
const TTL = 'ttlMs is from 1000 (a second) to 86400000 (a day).'
export const createLoginCodeSchema = z.strictObject({
  scope: optional(scopeSchema),
  name: optional(nameSchema),
  ttlMs: optional(z.int(TTL).min(1_000, TTL).max(86_400_000, TTL)),
})
const loginCodeFields = {
  id: z.string().describe('Identifies the code; it cannot be used to sign in.'),
  expiresAt: z.iso.datetime(),
}
export const loginCodeSchema = z.object({ code: z.string(), ...loginCodeFields })
export const loginCodeStateSchema = z.object({ ...loginCodeFields, isUsed: z.boolean() })
export type LoginCode = Shape<typeof loginCodeSchema>
/** The state of a one-time sign-in code; `id` names the code without being it. */
export type LoginCodeState = Shape<typeof loginCodeStateSchema>

export const principalSchema = z.object({
  name: z.string(),
  scope: scopeSchema,
  id: optional(z.string(), 'Its id in the list of tokens; absent for `QUAYSIDE_TOKEN`.'),
})
/** The caller: the name that events carry as `by`, and its scope. */
export type Principal = Shape<typeof principalSchema>

export const createTokenSchema = z.strictObject({ name: nameSchema, scope: scopeSchema })
export const tokenSchema = z.object({
  id: z.string(),
  kind: z.enum(['token', 'cookie']).describe('`cookie`: a browser that is signed in.'),
  name: z.string().describe('Stored in events as `by`.'),
  scope: scopeSchema,
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('Accurate to a minute.'),
  expiresAt: z.iso.datetime().nullable(),
})
/** A program with a token, or a browser that is signed in. */
export type Token = Shape<typeof tokenSchema>
export const tokenListSchema = z.object({ tokens: z.array(tokenSchema) })
export const createdTokenSchema = z.object({
  ...tokenSchema.shape,
  token: z.string().describe('The secret.'),
})
/** A new token with its secret, which is shown this once. */
export type CreatedToken = Shape<typeof createdTokenSchema>

/** Why a way does not work yet. */
const WAY_PROBLEMS = [
  'this_machine_only',
  'no_network',
  'not_installed',
  'not_connected',
  'not_served',
] as const
const waySchema = z.object({
  kind: described(
    z.enum(['address', 'tailscale', 'network']),
    '`address`: a proxy or tunnel. `network`: the network of the hub’s machine.',
  ),
  url: optional(z.string(), 'The address for other devices; absent until it works.'),
  isEncrypted: z.boolean(),
  problem: optional(z.enum(WAY_PROBLEMS)),
  command: optional(z.string(), 'The one step that is missing, as typed on the hub’s machine.'),
})
export const reachSchema = z.object({
  ways: z.array(waySchema),
  certificate: optional(
    z.object({
      fingerprint: z.string().describe('SHA-256, as browsers show it.'),
      isSelfSigned: z.boolean().describe('Browsers ask once whether to trust it.'),
    }),
    'Present when the hub itself serves TLS.',
  ),
})
/** One way to the hub from another device. */
export type ReachWay = Shape<typeof waySchema>
export type ReachState = Shape<typeof reachSchema>

const addHostSchema = z.strictObject({
  isKept: optional(
    z.boolean(),
    'False: until the hub stops or the name is removed. Default: true.',
  ),
})

export const accessCommands = {
  'access/login': {
    rest: 'POST /api/login',
    operationId: 'login',
    scope: 'read',
    raw: true,
    summary: 'Sign in with a one-time code',
    description: 'Each code works once. The response sets the cookie.',
    isPublic: true,
    limitsAttempts: true,
    body: loginSchema,
    response: 'Signed in.',
    errors: ['unauthorized', 'origin_not_allowed', 'too_many_attempts'],
  },
  'access/logout': {
    rest: 'POST /api/logout',
    operationId: 'logout',
    scope: 'read',
    raw: true,
    summary: 'Sign this browser out',
    response: 'Signed out.',
  },
  'login-code/create': {
    rest: 'POST /api/login-codes',
    scope: 'admin',
    summary: 'Create a one-time sign-in code',
    description:
      'It works once, within `ttlMs` (by default ten minutes). The sign-in gets `scope` (by default `admin`) and `name`.',
    body: createLoginCodeSchema,
    status: 201,
    response: 'The code.',
    output: loginCodeSchema,
  },
  'login-code/get': {
    rest: 'GET /api/login-codes/{loginCodeId}',
    scope: 'admin',
    summary: 'State of a sign-in code',
    response: 'The state of the code.',
    output: loginCodeStateSchema,
  },
  'login-code/withdraw': {
    rest: 'DELETE /api/login-codes/{loginCodeId}',
    scope: 'admin',
    summary: 'Withdraw an unused sign-in code',
    response: 'The code no longer works.',
  },
  'access/me': {
    rest: 'GET /api/me',
    operationId: 'getMe',
    scope: 'read',
    summary: 'The current principal',
    response: 'The name that events store as `by`, and its scope.',
    output: principalSchema,
  },
  'token/list': {
    rest: 'GET /api/tokens',
    scope: 'admin',
    summary: 'List tokens and sign-ins',
    description:
      'Tokens of programs, and signed-in browsers (`cookie`). `QUAYSIDE_TOKEN` is not listed.',
    response: 'Tokens and sign-ins, oldest first.',
    output: tokenListSchema,
  },
  'token/create': {
    rest: 'POST /api/tokens',
    scope: 'admin',
    summary: 'Create a token for a program',
    body: createTokenSchema,
    status: 201,
    response: 'The new token. `token` is returned only here: the hub stores a hash.',
    output: createdTokenSchema,
    errors: ['storage_failed'],
  },
  'token/revoke': {
    rest: 'DELETE /api/tokens/{tokenId}',
    scope: 'admin',
    summary: 'Revoke a token, or sign a browser out',
    description: 'Its sockets and streams are closed at once.',
    response: 'The token is revoked.',
    errors: ['storage_failed'],
  },
  'reach/get': {
    rest: 'GET /api/reach',
    scope: 'admin',
    summary: 'The ways by which other devices reach the hub',
    description:
      'Checks the hub’s own address, Tailscale and the network. A way with a `url` works; any other has a `problem` and, if there is one, the step that is missing.',
    response: 'The ways, best first.',
    output: reachSchema,
  },
  'host/add': {
    rest: 'PUT /api/hosts/{hostname}',
    scope: 'admin',
    summary: 'Accept a host name that a TLS proxy or tunnel serves',
    body: addHostSchema,
    mayBeNew: true,
    response: 'Requests to this name are accepted.',
  },
  'host/remove': {
    rest: 'DELETE /api/hosts/{hostname}',
    scope: 'admin',
    summary: 'Accept an added host name no longer',
    mayBeNew: true,
    response: 'The name is refused, unless a setting names it.',
  },
} satisfies Commands
