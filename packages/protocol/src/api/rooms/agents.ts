// Declares the commands for kinds of agents: their list, settings, sign-in, probes and wires.
import { z } from 'zod'
import { configOptionSchema, sessionModesSchema } from '../../acp/acp-schemas.js'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described, optional, wholeNumber } from '../fields.js'
import { warmStateSchema } from './processes.js'
import { wireFormatField, wireFrameListSchema, wireFrameSchema } from './sessions/reading.js'
import {
  changeExtensionSettingsSchema,
  extensionSettingsSchema,
  putExtensionSchema,
  settingsSchemaSchema,
} from '../settings-schemas.js'
import { OPEN_TERMINAL_ERRORS, terminalSchema } from './terminals.js'

const record = z.record(z.string(), z.unknown())
const milliseconds = z.int().min(0)

export const signInMethodSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: optional(z.string()),
  how: described(
    z.enum(['agent', 'environment', 'terminal']),
    '`agent`: POST …/authenticate. `environment`: set variables and restart the hub. `terminal`: run the agent in a terminal once.',
  ),
  variables: optional(z.array(z.string()), 'The variables, for `environment`.'),
})

/** The result of starting an agent once to see whether it works. */
export const probeSchema = z.object({
  extensionId: z.string(),
  name: z.string(),
  probedAt: z.iso.datetime(),
  state: z.enum(['ready', 'needs_sign_in', 'not_installed', 'broken']),
  problem: optional(z.string(), 'Why it is not ready, and what to do.'),
  problems: z.array(z.string()).describe('Violations of the protocol. The agent may still work.'),
  command: optional(z.string(), 'The program that was started or searched for.'),
  install: optional(z.string(), 'How to install it.'),
  version: optional(z.string()),
  agentInfo: optional(record),
  protocolVersion: optional(z.number()),
  signInMethods: z.array(signInMethodSchema),
  abilities: z.array(z.string()).describe('The capabilities, described for people.'),
  capabilities: record.describe('As the agent advertised them.'),
  modes: optional(sessionModesSchema),
  models: optional(record),
  configOptions: optional(z.array(configOptionSchema)),
  initializeMs: optional(milliseconds, 'From its start to its first response.'),
  newSessionMs: optional(milliseconds, 'The time that `session/new` took.'),
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

export const extensionSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  description: optional(z.string()),
  enabled: z.boolean(),
  isOwn: optional(z.literal(true), 'Added by a person; its folder is in the data directory.'),
  isDefault: optional(z.literal(true), 'The agent of sessions that name none.'),
  state: z.enum(['enabled', 'disabled', 'broken']),
  /** Why it is broken: the file, the field and the allowed values. */
  problem: optional(z.string()),
  /** True when its program was found; only of enabled ones. */
  installed: optional(z.boolean()),
  install: optional(z.string(), 'How to install it.'),
  /** Its processes that wait for a session; only of enabled ones. */
  warm: optional(warmStateSchema),
  downloadingSince: optional(z.iso.datetime(), 'While it is downloaded, before its first start.'),
  lastProbe: optional(lastProbeSchema, 'Since the hub started.'),
  capabilities: optional(
    z.record(z.string(), z.unknown()),
    'As the agent last reported them since the hub started.',
  ),
})
/** One kind of agent, as clients see it. */
export type Extension = Shape<typeof extensionSchema>

export const extensionListSchema = z.object({
  extensions: z.array(extensionSchema),
  problems: z.array(z.object({ file: z.string(), problem: z.string() })),
})
export const extensionDetailSchema = extensionSchema.extend({
  website: optional(z.string()),
  /** The variable of the hub's environment that names its program. */
  pathEnv: optional(z.string()),
  processModel: optional(z.enum(['per-session', 'shared'])),
  services: optional(z.array(z.enum(['fs', 'terminal']))),
  auth: optional(
    z.object({
      /** Keys it takes, each a secret of `PUT /api/extensions/:id/settings`. */
      env: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          url: optional(z.string()),
          isSet: z.boolean(),
        }),
      ),
      /** The command line that signs in, in a terminal. */
      terminal: optional(z.object({ args: z.array(z.string()) })),
    }),
  ),
})
/** An agent's details; a broken or disabled one has only those of `Extension`. */
export type ExtensionDetail = Shape<typeof extensionDetailSchema>

export const authenticateSchema = z.strictObject({
  methodId: z.string().min(1, 'methodId is missing.'),
})
export const authenticationSchema = z.object({
  authenticated: z.boolean(),
  terminal: optional(terminalSchema, 'The terminal in which a person signs in.'),
})
export type Authentication = Shape<typeof authenticationSchema>

const start = [
  'extension_unavailable',
  'invalid_settings',
  'agent_not_installed',
  'agent_failed',
  'agent_timeout',
] as const

export const agentCommands = {
  'extension/list': {
    rest: 'GET /api/extensions',
    scope: 'read',
    summary: 'List extensions',
    description:
      'Includes disabled and broken ones; `problem` gives the reason. `problems` lists files that could not be read.',
    response: 'The extensions.',
    output: extensionListSchema,
  },
  'extension/get': {
    rest: 'GET /api/extensions/{extensionId}',
    scope: 'read',
    summary: 'Get an extension',
    description: 'Includes how it is installed, signed in and launched.',
    response: 'The extension.',
    output: extensionDetailSchema,
  },
  'extension/put': {
    rest: 'PUT /api/extensions/{extensionId}',
    scope: 'admin',
    summary: 'Add or change a custom agent',
    description:
      'Writes a manifest into the data directory. The id has lower-case letters, digits and `-`. Applies to agents that start afterwards.',
    body: putExtensionSchema,
    response: 'The extension.',
    output: extensionDetailSchema,
    mayBeNew: true,
    errors: ['extension_not_own', 'invalid_extension', 'invalid_settings', 'storage_failed'],
  },
  'extension/remove': {
    rest: 'DELETE /api/extensions/{extensionId}',
    scope: 'admin',
    summary: 'Remove a custom agent',
    description: 'Its settings and secrets are removed too. Its sessions can still be read.',
    response: 'Removed.',
    errors: ['extension_not_own', 'storage_failed'],
  },
  'extension/reload': {
    rest: 'POST /api/extensions/{extensionId}/reload',
    scope: 'admin',
    summary: 'Read a custom agent from the data directory again',
    description:
      'For an extension whose files were added or changed there while the hub runs. Applies to agents that start afterwards.',
    response: 'The extension.',
    output: extensionDetailSchema,
    errors: ['extension_not_own', 'invalid_extension'],
  },
  'extension/settings-schema': {
    rest: 'GET /api/extensions/{extensionId}/settings_schema',
    operationId: 'getSettingsSchema',
    scope: 'read',
    summary: 'The form of an agent’s settings',
    description:
      '`default` is the value of a session without its own: the hub-wide setting, else the environment’s value, else the extension’s default.',
    response: 'The fields.',
    output: settingsSchemaSchema,
    errors: ['extension_unavailable', 'invalid_settings'],
  },
  'extension/settings': {
    rest: 'GET /api/extensions/{extensionId}/settings',
    operationId: 'getExtensionSettings',
    scope: 'read',
    summary: 'The hub-wide settings of an agent',
    description: 'They apply to every session without its own values. Secrets are never returned.',
    response: 'The settings.',
    output: extensionSettingsSchema,
    errors: ['extension_unavailable'],
  },
  'extension/change-settings': {
    rest: 'PUT /api/extensions/{extensionId}/settings',
    operationId: 'changeExtensionSettings',
    scope: 'admin',
    summary: 'Change the hub-wide settings of an agent',
    description:
      'Keys are ids of fields and names of sign-in keys. Other values stay, `null` removes a value. Applies to agents that start afterwards.',
    body: changeExtensionSettingsSchema,
    response: 'The changed settings.',
    output: extensionSettingsSchema,
    errors: ['extension_unavailable', 'invalid_settings', 'storage_failed'],
  },
  'extension/wire': {
    rest: 'GET /api/extensions/debug/raw',
    operationId: 'listWireFrames',
    scope: 'read',
    raw: true,
    summary: 'The newest frames of all agents',
    description:
      'Oldest first, without secrets. A download with `format=jsonl` or `Accept: application/x-ndjson`.',
    query: z.strictObject({
      limit: wholeNumber('limit', 1, 200).default(50),
      format: wireFormatField,
    }),
    response: 'The frames.',
    output: wireFrameListSchema,
    content: { 'application/x-ndjson': wireFrameSchema },
  },
  'extension/authenticate': {
    rest: 'POST /api/extensions/{extensionId}/authenticate',
    scope: 'admin',
    summary: 'Sign an agent in',
    description:
      '`methodId` is a method that the error `agent_auth_required` or a probe lists, or `terminal` if the extension has it. The agent stores its credentials itself. A method that needs a terminal opens one. A sign-in at a browser may take ten minutes; if the request would time out first, the response is 202 without a terminal, and repeating the request waits for the same sign-in.',
    body: authenticateSchema,
    output: authenticationSchema,
    responses: {
      200: 'Signed in; new sessions use the credentials.',
      202: 'The sign-in is not finished: it continues in `terminal`, or without one at the browser.',
    },
    statusOf: ({ authenticated }: Authentication) => (authenticated ? 200 : 202),
    errors: ['option_not_found', ...OPEN_TERMINAL_ERRORS, ...start],
  },
  'extension/logout': {
    rest: 'POST /api/extensions/{extensionId}/logout',
    scope: 'admin',
    summary: 'Sign an agent out',
    response: 'Signed out.',
    output: authenticationSchema,
    errors: ['option_not_found', ...start],
  },
  'extension/install': {
    rest: 'POST /api/extensions/{extensionId}/install',
    scope: 'admin',
    summary: 'Install an agent in a terminal',
    description:
      'Opens a terminal that runs the `install` command of the extension, as its manifest has it. Test the agent when the terminal has exited.',
    status: 201,
    response: 'The terminal, in which the command runs.',
    output: terminalSchema,
    errors: ['extension_unavailable', 'option_not_found', ...OPEN_TERMINAL_ERRORS],
  },
  'extension/probe': {
    rest: 'POST /api/extensions/{extensionId}/probe',
    scope: 'write',
    summary: 'Test an agent',
    description:
      'Starts the agent, opens a session in an empty folder and ends both. An agent that fails is no error of the request: see `state` and `problem`. Requests during a probe share its result.',
    response: 'The result.',
    output: probeSchema,
    errors: ['extension_unavailable', 'shutting_down'],
  },
} satisfies Commands
