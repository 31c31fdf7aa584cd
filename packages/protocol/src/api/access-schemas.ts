// Schemas of sign-in and tokens.
import { z } from 'zod'
import { SCOPES } from './scopes.js'

const scopeSchema = z.enum(SCOPES, `scope is one of ${SCOPES.join(', ')}.`)
const NAME = 'A name has 1 to 64 characters.'
const nameSchema = z.string(NAME).trim().min(1, NAME).max(64, NAME)

export const loginSchema = z.strictObject({
  code: z.string('The code is missing.').min(1, 'The code is missing.').max(256),
})
const TTL = 'ttlMs is from 1000 (a second) to 86400000 (a day).'
export const createLoginCodeSchema = z.strictObject({
  scope: scopeSchema.exactOptional(),
  name: nameSchema.exactOptional(),
  ttlMs: z.int(TTL).min(1_000, TTL).max(86_400_000, TTL).exactOptional(),
})
const loginCodeFields = {
  id: z.string().describe('Names the code without being it.'),
  expiresAt: z.iso.datetime(),
}
export const loginCodeSchema = z.object({ code: z.string(), ...loginCodeFields })
export const loginCodeStateSchema = z.object({ ...loginCodeFields, isUsed: z.boolean() })
export const principalSchema = z.object({
  name: z.string(),
  scope: scopeSchema,
  id: z
    .string()
    .exactOptional()
    .describe('Its id among the tokens; absent for the token in the hub’s own settings.'),
})

export const createTokenSchema = z.strictObject({ name: nameSchema, scope: scopeSchema })
export const tokenSchema = z.object({
  id: z.string(),
  kind: z.enum(['token', 'cookie']).describe('`cookie`: a browser that is signed in.'),
  name: z.string().describe('What events carry as `by`.'),
  scope: scopeSchema,
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('To the minute.'),
  expiresAt: z.iso.datetime().nullable(),
})
export const tokenListSchema = z.object({ tokens: z.array(tokenSchema) })
export const createdTokenSchema = z.object({
  ...tokenSchema.shape,
  token: z.string().describe('The secret.'),
})
