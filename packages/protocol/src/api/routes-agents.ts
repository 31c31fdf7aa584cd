// The table's part for agents: their kinds, settings, sign-ins and wires.
import { probeSchema } from './agent-schemas.js'
import { authenticateSchema } from './input-schemas.js'
import {
  authenticationSchema,
  extensionDetailSchema,
  extensionListSchema,
} from './output-schemas.js'
import { answer, json, type Route } from './route.js'
import {
  changeExtensionSettingsSchema,
  extensionSettingsSchema,
  putExtensionSchema,
  settingsSchemaSchema,
} from './settings-schemas.js'
import {
  wireFrameListSchema,
  wireFrameSchema,
  wireQuerySchema,
} from '../export/transcript-schemas.js'

const extension = { id: 'Id of the extension, such as `demo`.' }
const unusable = ['extension_not_found', 'extension_unavailable'] as const
const start = [
  ...unusable,
  'invalid_settings',
  'agent_not_installed',
  'agent_failed',
  'agent_timeout',
] as const

export const agentRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/extensions',
    operationId: 'listExtensions',
    tag: 'Agents',
    summary: 'The kinds of agents',
    description:
      'Also those that are disabled or broken; `problem` says why. `problems` are files that could not be read at all.',
    answers: answer(200, 'Extensions.', extensionListSchema),
    errors: [],
  },
  {
    method: 'get',
    path: '/api/extensions/{id}',
    operationId: 'getExtension',
    tag: 'Agents',
    summary: 'One kind of agent',
    description: 'How it is installed, signed in and run.',
    params: extension,
    answers: answer(200, 'The extension.', extensionDetailSchema),
    errors: ['extension_not_found'],
  },
  {
    method: 'put',
    path: '/api/extensions/{id}',
    operationId: 'putExtension',
    tag: 'Agents',
    scope: 'admin',
    summary: 'Add an agent of your own, or change it',
    description:
      'Writes a manifest into the data directory. The id has small letters, digits and -. Counts for agents that start from now on.',
    params: extension,
    body: json(putExtensionSchema),
    answers: answer(200, 'The extension.', extensionDetailSchema),
    errors: ['extension_not_own', 'invalid_extension', 'invalid_settings', 'storage_failed'],
  },
  {
    method: 'delete',
    path: '/api/extensions/{id}',
    operationId: 'removeExtension',
    tag: 'Agents',
    scope: 'admin',
    summary: 'Remove an agent of your own',
    description: 'With its settings and secrets. Its sessions can still be read.',
    params: extension,
    answers: answer(204, 'Removed.'),
    errors: ['extension_not_found', 'extension_not_own', 'storage_failed'],
  },
  {
    method: 'get',
    path: '/api/extensions/{id}/settings_schema',
    operationId: 'getSettingsSchema',
    tag: 'Agents',
    summary: 'Which settings sessions of an agent have',
    description:
      'A form for people. `default` is what a session gets that says nothing: of the hub-wide settings, else of the environment, else of the extension.',
    params: extension,
    answers: answer(200, 'Fields.', settingsSchemaSchema),
    errors: [...unusable, 'invalid_settings'],
  },
  {
    method: 'get',
    path: '/api/extensions/{id}/settings',
    operationId: 'getExtensionSettings',
    tag: 'Agents',
    summary: 'The hub-wide settings of an agent',
    description: 'They count for every session that says nothing else. Secrets are never told.',
    params: extension,
    answers: answer(200, 'What is set.', extensionSettingsSchema),
    errors: unusable,
  },
  {
    method: 'put',
    path: '/api/extensions/{id}/settings',
    operationId: 'changeExtensionSettings',
    tag: 'Agents',
    scope: 'admin',
    summary: 'Change the hub-wide settings of an agent',
    description:
      'By the ids of its fields and the names of its sign-in keys. What is not named stays, `null` takes a value away. Counts for agents that start from now on.',
    params: extension,
    body: json(changeExtensionSettingsSchema),
    answers: answer(200, 'What is set now.', extensionSettingsSchema),
    errors: [...unusable, 'invalid_settings', 'storage_failed'],
  },
  {
    method: 'get',
    path: '/api/extensions/debug/raw',
    operationId: 'listWireFrames',
    tag: 'Agents',
    summary: 'The newest lines of all agents’ wires',
    description:
      'As they were sent, oldest first, without secrets. As a download with `format=jsonl` or `Accept: application/x-ndjson`.',
    query: wireQuerySchema,
    answers: {
      200: {
        description: 'Frames.',
        content: { ...json(wireFrameListSchema), 'application/x-ndjson': wireFrameSchema },
      },
    },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/extensions/{id}/authenticate',
    operationId: 'authenticateExtension',
    tag: 'Agents',
    scope: 'admin',
    summary: 'Sign an agent in',
    description:
      'By one of the methods that the error `agent_auth_required` and a probe list, or `terminal` when the extension has that. The agent keeps its credentials itself. A method that wants a terminal opens one for you. A person at a browser has ten minutes; when that takes longer than a request lasts, the answer is 202 without a terminal, and asking again joins the sign-in that runs.',
    params: extension,
    body: json(authenticateSchema),
    answers: {
      ...answer(200, 'New sessions of this agent find the credentials.', authenticationSchema),
      ...answer(
        202,
        'A terminal is open in which a person signs in; or, without one, the agent still waits for them.',
        authenticationSchema,
      ),
    },
    errors: [
      'option_not_found',
      'terminal_limit',
      'terminal_failed',
      'terminals_unavailable',
      ...start,
    ],
  },
  {
    method: 'post',
    path: '/api/extensions/{id}/logout',
    operationId: 'logoutExtension',
    tag: 'Agents',
    scope: 'admin',
    summary: 'Sign an agent out',
    params: extension,
    answers: answer(200, 'The agent has forgotten its credentials.', authenticationSchema),
    errors: ['option_not_found', ...start],
  },
  {
    method: 'post',
    path: '/api/extensions/{id}/probe',
    operationId: 'probeExtension',
    tag: 'Agents',
    summary: 'Try an agent out',
    description:
      'Starts it, opens a session in an empty folder and ends it again. An agent that does not work is an answer too: see `state` and `problem`. Whoever asks while a probe runs gets its result.',
    params: extension,
    answers: answer(200, 'What was found.', probeSchema),
    errors: ['extension_not_found', 'extension_unavailable', 'shutting_down'],
  },
]
