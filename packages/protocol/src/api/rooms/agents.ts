// Declares the commands for kinds of agents: their list, settings, sign-in, probes and wires.
import { z } from 'zod'
import { configOptionSchema, sessionModesSchema } from '../../acp/acp-schemas.js'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { wholeNumber } from '../fields.js'
import { warmStateSchema } from './processes.js'
import { wireFormatField, wireFrameListSchema, wireFrameSchema } from './sessions/reading.js'
import {
  changeExtensionSettingsSchema,
  extensionSettingsSchema,
  putExtensionSchema,
  settingsSchemaSchema,
} from '../settings-schemas.js'
import { terminalSchema } from './terminals.js'

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

/** The result of starting an agent once to see whether it works. */
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

export const extensionSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.string().exactOptional(),
  enabled: z.boolean(),
  isOwn: z
    .literal(true)
    .exactOptional()
    .describe('Added by a person; its folder is in the data directory.'),
  isDefault: z.literal(true).exactOptional().describe('The agent of sessions that name none.'),
  state: z.enum(['enabled', 'disabled', 'broken']),
  /** Why it is broken: the file, the field and the allowed values. */
  problem: z.string().exactOptional(),
  /** True when its program was found; only of enabled ones. */
  installed: z.boolean().exactOptional(),
  install: z.string().exactOptional().describe('How to install it.'),
  /** Its processes that wait for a session; only of enabled ones. */
  warm: warmStateSchema.exactOptional(),
  downloadingSince: z.iso
    .datetime()
    .exactOptional()
    .describe('While it is downloaded, before its first start.'),
  lastProbe: lastProbeSchema.exactOptional().describe('Since the hub started.'),
  capabilities: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('As the agent last reported them since the hub started.'),
})
/** One kind of agent, as clients see it. */
export type Extension = Shape<typeof extensionSchema>

export const extensionListSchema = z.object({
  extensions: z.array(extensionSchema),
  problems: z.array(z.object({ file: z.string(), problem: z.string() })),
})
export const extensionDetailSchema = extensionSchema.extend({
  website: z.string().exactOptional(),
  /** The variable of the hub's environment that names its program. */
  pathEnv: z.string().exactOptional(),
  processModel: z.enum(['per-session', 'shared']).exactOptional(),
  services: z.array(z.enum(['fs', 'terminal'])).exactOptional(),
  auth: z
    .object({
      /** Keys it takes, each a secret of `PUT /api/extensions/:id/settings`. */
      env: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          url: z.string().exactOptional(),
          isSet: z.boolean(),
        }),
      ),
      /** The command line that signs in, in a terminal. */
      terminal: z.object({ args: z.array(z.string()) }).exactOptional(),
    })
    .exactOptional(),
})
/** An agent's details; a broken or disabled one has only those of `Extension`. */
export type ExtensionDetail = Shape<typeof extensionDetailSchema>

export const authenticateSchema = z.strictObject({
  methodId: z.string().min(1, 'methodId is missing.'),
})
export const authenticationSchema = z.object({
  authenticated: z.boolean(),
  terminal: terminalSchema.exactOptional().describe('The terminal in which a person signs in.'),
})
export type Authentication = Shape<typeof authenticationSchema>

export const wireQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 200).default(50),
  format: wireFormatField,
})

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
    operationId: 'listExtensions',
    scope: 'read',
    summary: 'List extensions',
    description:
      'Includes disabled and broken ones; `problem` gives the reason. `problems` lists files that could not be read.',
    response: 'The extensions.',
    output: extensionListSchema,
  },
  'extension/get': {
    rest: 'GET /api/extensions/{extensionId}',
    operationId: 'getExtension',
    scope: 'read',
    summary: 'Get an extension',
    description: 'Includes how it is installed, signed in and launched.',
    response: 'The extension.',
    output: extensionDetailSchema,
  },
  'extension/put': {
    rest: 'PUT /api/extensions/{extensionId}',
    operationId: 'putExtension',
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
    operationId: 'removeExtension',
    scope: 'admin',
    summary: 'Remove a custom agent',
    description: 'Its settings and secrets are removed too. Its sessions can still be read.',
    response: 'Removed.',
    errors: ['extension_not_own', 'storage_failed'],
  },
  'extension/reload': {
    rest: 'POST /api/extensions/{extensionId}/reload',
    operationId: 'reloadExtension',
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
    query: wireQuerySchema,
    response: 'The frames.',
    output: wireFrameListSchema,
    content: { 'application/x-ndjson': wireFrameSchema },
  },
  'extension/authenticate': {
    rest: 'POST /api/extensions/{extensionId}/authenticate',
    operationId: 'authenticateExtension',
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
    errors: [
      'option_not_found',
      'terminal_limit',
      'terminal_failed',
      'terminals_unavailable',
      ...start,
    ],
  },
  'extension/logout': {
    rest: 'POST /api/extensions/{extensionId}/logout',
    operationId: 'logoutExtension',
    scope: 'admin',
    summary: 'Sign an agent out',
    response: 'Signed out.',
    output: authenticationSchema,
    errors: ['option_not_found', ...start],
  },
  'extension/install': {
    rest: 'POST /api/extensions/{extensionId}/install',
    operationId: 'installExtension',
    scope: 'admin',
    summary: 'Install an agent in a terminal',
    description:
      'Opens a terminal that runs the `install` command of the extension, as its manifest has it. Test the agent when the terminal has exited.',
    status: 201,
    response: 'The terminal, in which the command runs.',
    output: terminalSchema,
    errors: [
      'extension_unavailable',
      'option_not_found',
      'terminal_limit',
      'terminal_failed',
      'terminals_unavailable',
    ],
  },
  'extension/probe': {
    rest: 'POST /api/extensions/{extensionId}/probe',
    operationId: 'probeExtension',
    scope: 'write',
    summary: 'Test an agent',
    description:
      'Starts the agent, opens a session in an empty folder and ends both. An agent that fails is no error of the request: see `state` and `problem`. Requests during a probe share its result.',
    response: 'The result.',
    output: probeSchema,
    errors: ['extension_unavailable', 'shutting_down'],
  },
} satisfies Commands
