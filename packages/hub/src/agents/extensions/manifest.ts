// What a manifest.json may say of an agent: how it is launched, signed in, what it may ask for, what is special about it.
import { closedObject, environmentNameSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { checkPromptsSchema } from './check-prompts.js'
import { quirksSchema } from './quirks.js'
import { repositorySchema } from './repository-config.js'

export const extensionIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'An id has small letters, digits and -, and begins with a letter.')

const argumentSchema = z.union(
  [z.string(), z.array(z.string()).min(1)],
  'An argument is a text, or a list of texts that belong together.',
)
const argumentsSchema = z
  .array(argumentSchema)
  .describe('Texts, or lists of texts left out as a whole when a variable in them has no value.')
export type Argument = z.infer<typeof argumentSchema>

// The descriptions are also those of the published JSON Schema: editors show them.
const agentSchema = closedObject({
  backend: z
    .literal('pipe')
    .default('pipe')
    .describe('ACP is spoken over the pipes of a child process; there is no other way.'),
  command: z.string().min(1).describe('A program on the PATH, or a path.'),
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
  cwd: z
    .string()
    .min(1)
    .default('${CWD}')
    .describe('Where the process starts; its sessions work in their repositories in any case.'),
  env: z
    .record(environmentNameSchema, z.string())
    .default({})
    .describe('An entry in which a variable has no value is left out.'),
  inheritEnv: z
    .array(environmentNameSchema)
    .default([])
    .describe("What it sees of the hub's environment, besides the little that all agents see."),
  pathEnv: environmentNameSchema
    .exactOptional()
    .describe("A variable of the hub's environment that names the program instead of `command`."),
  // Most do better with the machine itself, so nothing is the default.
  services: z
    .array(z.enum(['fs', 'terminal']))
    .default([])
    .describe('What the agent may ask of the hub.'),
  processModel: z
    .enum(['per-session', 'shared'])
    .default('per-session')
    .describe('`shared`: one process serves all sessions of the extension.'),
  warm: z
    .int()
    .min(0)
    .max(8)
    .default(0)
    .describe('How many initialised processes wait for a session.'),
  eagerSessionInit: z
    .boolean()
    .default(true)
    .describe('`false`: the agent is started by the first prompt, not with the session.'),
  labels: z.record(z.string(), z.string()).default({}).describe('Shown in the list of processes.'),
})

const authSchema = closedObject({
  env: z
    .array(
      closedObject({
        name: environmentNameSchema,
        label: z.string().min(1),
        url: z.url().exactOptional().describe('Where people get one.'),
      }),
    )
    .default([])
    .describe(
      'Keys it takes from its environment: kept by the hub as secrets, or found in its own environment.',
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
  auth: authSchema.default({ env: [] }),
  repository: repositorySchema
    .exactOptional()
    .describe('What the agent reads from a repository. Without it, the folder `.<id>` counts.'),
  quirks: quirksSchema.default({}),
  /** What to prompt while the agent is checked, for one that follows a script instead of a model. */
  check: checkPromptsSchema.exactOptional(),
})

export type Manifest = z.infer<typeof manifestSchema>
