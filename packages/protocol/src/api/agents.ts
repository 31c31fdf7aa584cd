// Declares the commands for kinds of agents: their list, settings, sign-in, probes and wires.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import { type Commands, json } from './command.js'
import { wholeNumber } from './fields.js'
import { lastProbeSchema, probeSchema } from './probe-schemas.js'
import { warmStateSchema } from './processes.js'
import {
  changeExtensionSettingsSchema,
  extensionSettingsSchema,
  putExtensionSchema,
  settingsSchemaSchema,
} from './settings-schemas.js'
import { terminalSchema } from './terminals.js'
import { wireFormatField, wireFrameListSchema, wireFrameSchema } from './wire-schemas.js'

export const extensionSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.string().exactOptional(),
  enabled: z.boolean(),
  isOwn: z.literal(true).exactOptional().describe('It is in the data directory.'),
  state: z.enum(['enabled', 'disabled', 'broken']),
  /** Why it is broken: the file, the field and the allowed values. */
  problem: z.string().exactOptional(),
  /** True when its program was found; only of enabled ones. */
  installed: z.boolean().exactOptional(),
  /** Its processes that wait for a session; only of enabled ones. */
  warm: warmStateSchema.exactOptional(),
  lastProbe: lastProbeSchema.exactOptional().describe('Since the hub started.'),
})
/** One kind of agent, as clients see it. */
export type Extension = Shape<typeof extensionSchema>

export const extensionListSchema = z.object({
  extensions: z.array(extensionSchema),
  problems: z.array(z.object({ file: z.string(), problem: z.string() })),
})
export const extensionDetailSchema = extensionSchema.extend({
  website: z.string().exactOptional(),
  install: z.string().exactOptional(),
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
  terminal: terminalSchema.exactOptional().describe('Where a person signs in.'),
})
export type Authentication = Shape<typeof authenticationSchema>

export const wireQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 200).default(50),
  format: wireFormatField,
})

const unusable = ['extension_not_found', 'extension_unavailable'] as const
const start = [
  ...unusable,
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
    tag: 'Agents',
    summary: 'The kinds of agents',
    description:
      'Also those that are disabled or broken; `problem` says why. `problems` are files that could not be read at all.',
    response: 'Extensions.',
    output: extensionListSchema,
  },
  'extension/get': {
    rest: 'GET /api/extensions/{extensionId}',
    operationId: 'getExtension',
    scope: 'read',
    tag: 'Agents',
    summary: 'One kind of agent',
    description: 'How it is installed, signed in and run.',
    response: 'The extension.',
    output: extensionDetailSchema,
    errors: ['extension_not_found'],
  },
  'extension/put': {
    rest: 'PUT /api/extensions/{extensionId}',
    operationId: 'putExtension',
    scope: 'admin',
    tag: 'Agents',
    summary: 'Add an agent of your own, or change it',
    description:
      'Writes a manifest into the data directory. The id has small letters, digits and -. Counts for agents that start from now on.',
    body: putExtensionSchema,
    response: 'The extension.',
    output: extensionDetailSchema,
    errors: ['extension_not_own', 'invalid_extension', 'invalid_settings', 'storage_failed'],
  },
  'extension/remove': {
    rest: 'DELETE /api/extensions/{extensionId}',
    operationId: 'removeExtension',
    scope: 'admin',
    tag: 'Agents',
    summary: 'Remove an agent of your own',
    description: 'With its settings and secrets. Its sessions can still be read.',
    response: 'Removed.',
    errors: ['extension_not_found', 'extension_not_own', 'storage_failed'],
  },
  'extension/settings-schema': {
    rest: 'GET /api/extensions/{extensionId}/settings_schema',
    operationId: 'getSettingsSchema',
    scope: 'read',
    tag: 'Agents',
    summary: 'Which settings sessions of an agent have',
    description:
      'A form for people. `default` is what a session gets that says nothing: of the hub-wide settings, else of the environment, else of the extension.',
    response: 'Fields.',
    output: settingsSchemaSchema,
    errors: [...unusable, 'invalid_settings'],
  },
  'extension/settings': {
    rest: 'GET /api/extensions/{extensionId}/settings',
    operationId: 'getExtensionSettings',
    scope: 'read',
    tag: 'Agents',
    summary: 'The hub-wide settings of an agent',
    description: 'They count for every session that says nothing else. Secrets are never told.',
    response: 'What is set.',
    output: extensionSettingsSchema,
    errors: unusable,
  },
  'extension/change-settings': {
    rest: 'PUT /api/extensions/{extensionId}/settings',
    operationId: 'changeExtensionSettings',
    scope: 'admin',
    tag: 'Agents',
    summary: 'Change the hub-wide settings of an agent',
    description:
      'By the ids of its fields and the names of its sign-in keys. What is not named stays, `null` takes a value away. Counts for agents that start from now on.',
    body: changeExtensionSettingsSchema,
    response: 'What is set now.',
    output: extensionSettingsSchema,
    errors: [...unusable, 'invalid_settings', 'storage_failed'],
  },
  'extension/wire': {
    rest: 'GET /api/extensions/debug/raw',
    operationId: 'listWireFrames',
    scope: 'read',
    raw: true,
    tag: 'Agents',
    summary: 'The newest lines of all agents’ wires',
    description:
      'As they were sent, oldest first, without secrets. As a download with `format=jsonl` or `Accept: application/x-ndjson`.',
    query: wireQuerySchema,
    output: wireFrameListSchema,
    responses: {
      200: {
        description: 'Frames.',
        content: { ...json(wireFrameListSchema), 'application/x-ndjson': wireFrameSchema },
      },
    },
    errors: [],
  },
  'extension/authenticate': {
    rest: 'POST /api/extensions/{extensionId}/authenticate',
    operationId: 'authenticateExtension',
    scope: 'admin',
    tag: 'Agents',
    summary: 'Sign an agent in',
    description:
      'By one of the methods that the error `agent_auth_required` and a probe list, or `terminal` when the extension has that. The agent keeps its credentials itself. A method that wants a terminal opens one for you. A person at a browser has ten minutes; when that takes longer than a request lasts, the answer is 202 without a terminal, and asking again joins the sign-in that runs.',
    body: authenticateSchema,
    output: authenticationSchema,
    responses: {
      200: {
        description: 'New sessions of this agent find the credentials.',
        content: json(authenticationSchema),
      },
      202: {
        description:
          'A terminal is open in which a person signs in; or, without one, the agent still waits for them.',
        content: json(authenticationSchema),
      },
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
    tag: 'Agents',
    summary: 'Sign an agent out',
    response: 'The agent has forgotten its credentials.',
    output: authenticationSchema,
    errors: ['option_not_found', ...start],
  },
  'extension/probe': {
    rest: 'POST /api/extensions/{extensionId}/probe',
    operationId: 'probeExtension',
    scope: 'write',
    tag: 'Agents',
    summary: 'Try an agent out',
    description:
      'Starts it, opens a session in an empty folder and ends it again. An agent that does not work is an answer too: see `state` and `problem`. Whoever asks while a probe runs gets its result.',
    response: 'What was found.',
    output: probeSchema,
    errors: ['extension_not_found', 'extension_unavailable', 'shutting_down'],
  },
} satisfies Commands
