// The schema of a manifest.json: how an agent is launched and signed in, what it may request, and its quirks.
import { closedObject, environmentNameSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { checkPromptsSchema } from './check-prompts.js'
import { quirksSchema } from './quirks.js'
import { repositorySchema } from './repository-config.js'

export const extensionIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'An id has small letters, digits and -, and begins with a letter.')
  .max(64, 'An id has at most 64 characters.')

/** The operating system ends arguments and variables at a NUL. */
const processTextSchema = z
  .string()
  .regex(/^[^\0]*$/, 'The text contains a NUL character. Remove it.')

const argumentSchema = z.union(
  [processTextSchema, z.array(processTextSchema).min(1)],
  'An argument is a text, or a list of texts that belong together.',
)
const argumentsSchema = z
  .array(argumentSchema)
  .describe('Texts, or lists of texts left out as a whole when a variable in them has no value.')
export type Argument = z.infer<typeof argumentSchema>

// The descriptions are part of the published JSON Schema; editors show them.
const agentSchema = closedObject({
  backend: z
    .literal('pipe')
    .default('pipe')
    .describe('ACP over the pipes of a child process, the only transport.'),
  command: processTextSchema.min(1).describe('A program on the PATH, or a path.'),
  args: argumentsSchema.default([]),
  argsProbe: closedObject({
    args: z.array(z.string()).min(1),
    contains: z.string().min(1),
    else: argumentsSchema,
  })
    .exactOptional()
    .describe(
      'The program is run once with `args`; unless it writes `contains`, it is started with `else`.',
    ),
  download: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe(
      'Arguments with which the program downloads the agent without starting it. Run before the first start, without the time limit of a start.',
    ),
  cwd: z
    .string()
    .min(1)
    .default('${CWD}')
    .describe('Where the process starts; its sessions work in their repositories in any case.'),
  env: z
    .record(environmentNameSchema, processTextSchema)
    .default({})
    .describe('An entry in which a variable has no value is left out.'),
  inheritEnv: z
    .array(environmentNameSchema)
    .default([])
    .describe(
      "Variables of the hub's environment that it inherits, besides the few that all agents inherit.",
    ),
  mergeEnv: z
    .array(environmentNameSchema)
    .default([])
    .describe(
      "Variables of the hub's environment that hold a JSON object: it is inherited, and the entry of `env` is merged into it.",
    ),
  pathEnv: environmentNameSchema
    .exactOptional()
    .describe("A variable of the hub's environment that names the program instead of `command`."),
  // Empty by default: most agents work better with the machine's own files and shell.
  services: z
    .array(z.enum(['fs', 'terminal']))
    .default([])
    .describe('Services of the hub that the agent may use.'),
  processModel: z
    .enum(['per-session', 'shared'])
    .default('per-session')
    .describe('`shared`: one process serves all sessions of the extension.'),
  warm: z
    .int()
    .min(0)
    .max(8)
    .default(0)
    .describe('The number of initialised processes kept ready for sessions.'),
  eagerSessionInit: z
    .boolean()
    .default(true)
    .describe('`false`: the agent is started by the first prompt, not with the session.'),
  labels: z
    .record(z.string(), z.string())
    .default({})
    .describe('Shown in the list of processes; variables are filled in.'),
})

const authSchema = closedObject({
  env: z
    .array(
      closedObject({
        name: environmentNameSchema,
        label: z.string().min(1),
        url: z.url().exactOptional().describe('Where people get a key.'),
      }),
    )
    .default([])
    .describe(
      'Keys that the agent reads from its environment. The hub stores them as secrets, or passes on its own.',
    ),
  errors: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'An error of the agent that contains one of these texts means that it is not signed in or not configured.',
    ),
  terminal: closedObject({ args: z.array(z.string()) })
    .exactOptional()
    .describe('How the program is started in a terminal for a person to sign in.'),
})

export const manifestSchema = closedObject({
  $schema: z.string().exactOptional(),
  id: extensionIdSchema,
  name: z.string().min(1),
  type: z.literal('acp'),
  description: z.string().exactOptional().describe('One sentence for people.'),
  website: z.url().exactOptional(),
  install: z.string().exactOptional().describe('The command that installs it.'),
  agent: agentSchema,
  registryIds: z
    .array(extensionIdSchema)
    .default([])
    .describe('The ids of the same agent in the public ACP registry.'),
  agentNames: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'The names that the agent reports in `initialize`, for recordings that name no extension.',
    ),
  auth: authSchema.default({ env: [], errors: [] }),
  unasked: closedObject({
    actions: z.array(z.enum(['write', 'execute'])).min(1),
    sentence: z.string().min(1).describe('For people; a session begins with it.'),
  })
    .exactOptional()
    .describe(
      'Actions that the agent takes without asking for a permission. The hub asks before writes that go through its service `fs`.',
    ),
  fallback: z
    .boolean()
    .default(false)
    .describe('`true`: sessions that name no agent use it only when no other is installed.'),
  repository: repositorySchema
    .exactOptional()
    .describe('What the agent reads from a repository. Without it, the folder `.<id>` counts.'),
  quirks: quirksSchema.default({}),
  /** Prompts for the agent check, for an agent that follows a script instead of a model. */
  check: checkPromptsSchema.exactOptional(),
})

export type Manifest = z.infer<typeof manifestSchema>
