// The result of starting an agent once to see whether it works.
import { z } from 'zod'
import { configOptionSchema, sessionModesSchema } from '../acp/acp-schemas.js'
import type { Shape } from '../shape.js'

const record = z.record(z.string(), z.unknown())
const milliseconds = z.int().min(0)

export const signInMethodSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().exactOptional(),
  how: z
    .enum(['agent', 'environment', 'terminal'])
    .describe(
      '`agent`: POST …/authenticate. `environment`: set variables and restart the hub. `terminal`: run the agent in a terminal once.',
    ),
  variables: z.array(z.string()).exactOptional().describe('The variables, for `environment`.'),
})

export const probeSchema = z.object({
  extensionId: z.string(),
  name: z.string(),
  probedAt: z.iso.datetime(),
  state: z.enum(['ready', 'needs_sign_in', 'not_installed', 'broken']),
  problem: z.string().exactOptional().describe('Why it is not ready, and what to do.'),
  problems: z.array(z.string()).describe('Violations of the protocol. The agent may still work.'),
  command: z.string().exactOptional().describe('The program that was started or searched for.'),
  install: z.string().exactOptional().describe('How to install it.'),
  version: z.string().exactOptional(),
  agentInfo: record.exactOptional(),
  protocolVersion: z.number().exactOptional(),
  signInMethods: z.array(signInMethodSchema),
  abilities: z.array(z.string()).describe('The capabilities, described for people.'),
  capabilities: record.describe('As the agent advertised them.'),
  modes: sessionModesSchema.exactOptional(),
  models: record.exactOptional(),
  configOptions: z.array(configOptionSchema).exactOptional(),
  initializeMs: milliseconds.exactOptional().describe('From its start to its first response.'),
  newSessionMs: milliseconds.exactOptional().describe('The time that `session/new` took.'),
})

/** The part of the last probe that lists show. */
export const lastProbeSchema = probeSchema.pick({
  state: true,
  problem: true,
  version: true,
  probedAt: true,
})
export type LastProbe = Shape<typeof lastProbeSchema>
export type SignInMethod = Shape<typeof signInMethodSchema>
export type Probe = Shape<typeof probeSchema>
