// Declares the commands for comparisons: one prompt to several agents, each in a work tree of its own from the same base.
import { z } from 'zod'
import type { Shape } from '../../../shape.js'
import { type Commands, START_ERRORS } from '../../command.js'
import { described, optional, requiredText } from '../../fields.js'
import { sessionSettingsSchema } from '../../session-settings.js'
import { chosenHub } from '../hubs.js'
import { makeRoom, sessionSummarySchema } from './sessions.js'
import { CONTENT_ERRORS, hasOnePrompt, ONE_PROMPT, promptContentShape } from './turns.js'
import { WORK_TREE_ERRORS } from './workspaces.js'

export const MAX_COMPARED = 8
const AGENT_COUNT = `agents has 2 to ${MAX_COMPARED} ids of agents.`

export const createComparisonSchema = z
  .strictObject({
    repoId: requiredText('repoId is the id of a repository.'),
    ...chosenHub,
    agents: described(
      z.array(z.string().min(1).max(128)).min(2, AGENT_COUNT).max(MAX_COMPARED, AGENT_COUNT),
      'Ids of extensions. The same one may be there several times.',
    ),
    ...promptContentShape,
    settings: optional(
      sessionSettingsSchema,
      'Of each session. `base` is the base of all of them; `workspace` is `worktree`.',
    ),
    makeRoom,
  })
  .refine(hasOnePrompt, ONE_PROMPT)
export type CreateComparisonInput = z.infer<typeof createComparisonSchema>

const count = z.int().min(0)
const comparedSessionSchema = sessionSummarySchema.extend({
  outcome: described(
    z.enum(['working', 'waiting', 'done', 'failed', 'cancelled']),
    'Of its latest turn. `waiting`: for a person.',
  ),
  startedAt: optional(z.iso.datetime(), 'When the running turn started.'),
  seconds: optional(z.number(), 'The time of its latest turn, when it has ended.'),
  changes: optional(
    z.object({ files: count, added: count, removed: count }),
    'Since the session began. Absent when its work tree was removed.',
  ),
})
/** A session beside others with the same prompt. */
export type ComparedSession = Shape<typeof comparedSessionSchema>

export const comparisonSchema = z.object({
  id: z.string(),
  repoId: z.string(),
  check: optional(z.string(), 'The repository’s check command.'),
  taken: optional(z.string(), 'The session that was taken.'),
  sessions: z.array(comparedSessionSchema).describe('In the order of the agents.'),
})
export type Comparison = Shape<typeof comparisonSchema>

export const takeSessionSchema = z.strictObject({
  sessionId: requiredText('sessionId is the id of one of the sessions.'),
})

export const comparisonCommands = {
  'comparison/create': {
    rest: 'POST /api/comparisons',
    scope: 'write',
    summary: 'Send one prompt to several agents',
    description:
      'Starts a session for each agent, in a work tree of its own. All begin from the same commit, or with `settings.base` `.` from the same files. If one of them cannot start, none is left. After each turn the repository’s check command runs, if it has one.',
    body: createComparisonSchema,
    status: 201,
    response: 'All sessions are active and have the prompt.',
    output: comparisonSchema,
    errors: [...START_ERRORS, 'hub_not_found', ...CONTENT_ERRORS],
    rpc: { answer: '`Comparison`.' },
  },
  'comparison/get': {
    rest: 'GET /api/comparisons/{comparisonId}',
    scope: 'read',
    summary: 'The sessions of a comparison with their results',
    response: 'The comparison. Sessions that were removed are not in it.',
    output: comparisonSchema,
    errors: ['repo_not_found', 'path_outside_root'],
    rpc: { answer: '`Comparison`.' },
  },
  'comparison/take': {
    rest: 'POST /api/comparisons/{comparisonId}/take',
    operationId: 'takeSession',
    scope: 'write',
    summary: 'Take one session of a comparison and give up the others',
    description:
      'The others are ended and archived, and their work trees, branches and terminals are removed. Their work is kept under the reference in `workspace.kept`. It can be called again after a failure.',
    body: takeSessionSchema,
    response: 'The others are given up.',
    output: comparisonSchema,
    errors: ['session_not_found', 'workspace_missing', ...WORK_TREE_ERRORS],
    rpc: { answer: '`Comparison`.' },
  },
} as const satisfies Commands
