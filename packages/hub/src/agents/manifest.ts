// What a manifest.json may say of an agent: how it is launched, signed in, what it may ask for, what is special about it.
import { closedObject, environmentNameSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { quirksSchema } from './quirks.js'

export const extensionIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'An id has small letters, digits and -, and begins with a letter.')

/** A text, or texts that are left out together when a variable in one of them has no value. */
const argumentSchema = z.union(
  [z.string(), z.array(z.string()).min(1)],
  'An argument is a text, or a list of texts that belong together.',
)
const argumentsSchema = z.array(argumentSchema)
export type Argument = z.infer<typeof argumentSchema>

const agentSchema = closedObject({
  /** ACP is spoken over the pipes of a child process; there is no other way. */
  backend: z.literal('pipe').default('pipe'),
  command: z.string().min(1),
  args: argumentsSchema.default([]),
  /** For programs whose arguments changed: run once with `args`, and unless it writes `contains` it is started with `else`. */
  argsProbe: closedObject({
    args: z.array(z.string()).min(1),
    contains: z.string().min(1),
    else: argumentsSchema,
  }).exactOptional(),
  /** Where the process starts. Its sessions work in their repositories in any case. */
  cwd: z.string().min(1).default('${CWD}'),
  /** A variable in a value that has no value leaves the whole entry out. */
  env: z.record(environmentNameSchema, z.string()).default({}),
  /** What the agent sees of the hub's environment, besides the little that all agents see. */
  inheritEnv: z.array(environmentNameSchema).default([]),
  /** A variable of the hub's environment that names the program instead of `command`. */
  pathEnv: environmentNameSchema.exactOptional(),
  /** What the agent may ask of the hub. Most do better with the machine itself, so nothing is the default. */
  services: z.array(z.enum(['fs', 'terminal'])).default([]),
  /** `shared`: one process serves all sessions of the extension. */
  processModel: z.enum(['per-session', 'shared']).default('per-session'),
  /** How many initialised processes wait for a session. */
  warm: z.int().min(0).max(8).default(0),
  /** `false`: the agent is started by the first prompt, not with the session. */
  eagerSessionInit: z.boolean().default(true),
  /** Shown in the list of processes. */
  labels: z.record(z.string(), z.string()).default({}),
})

const authSchema = closedObject({
  /** Keys the agent takes from its environment: kept by the hub as secrets, or found in its own environment. */
  env: z
    .array(
      closedObject({
        name: environmentNameSchema,
        label: z.string().min(1),
        /** Where people get one. */
        url: z.url().exactOptional(),
      }),
    )
    .default([]),
  /** How the program is started in a terminal for a person to sign in. */
  terminal: closedObject({ args: z.array(z.string()) }).exactOptional(),
})

export const manifestSchema = closedObject({
  $schema: z.string().exactOptional(),
  id: extensionIdSchema,
  name: z.string().min(1),
  type: z.literal('acp'),
  description: z.string().exactOptional(),
  website: z.url().exactOptional(),
  /** The command that installs it. */
  install: z.string().exactOptional(),
  agent: agentSchema,
  auth: authSchema.default({ env: [] }),
  quirks: quirksSchema.default({}),
})

export type Manifest = z.infer<typeof manifestSchema>
