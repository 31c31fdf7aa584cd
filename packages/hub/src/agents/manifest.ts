// What a manifest.json may say of an agent: how it is launched, what it may ask for, what is special about it.
import { z } from 'zod'
import { checkPromptsSchema } from './check/check-prompts.js'
import { quirksSchema } from './quirks.js'

export const manifestSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.literal('acp'),
  description: z.string().optional(),
  install: z.string().optional(),
  agent: z.object({
    command: z.string(),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    inheritEnv: z.array(z.string()).default([]),
    pathEnv: z.string().optional(),
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
  }),
  quirks: quirksSchema.default({}),
  /** What to prompt while the agent is checked, for one that follows a script instead of a model. */
  check: checkPromptsSchema.exactOptional(),
})

export type Manifest = z.infer<typeof manifestSchema>
