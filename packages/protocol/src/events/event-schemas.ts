// Schemas of a session's events, lenient on purpose: fields of a newer hub are kept, ACP updates are any object.
import { z } from 'zod'
import {
  configOptionSchema,
  contentBlockSchema,
  permissionOptionSchema,
  permissionOutcomeSchema,
  sessionModesSchema,
  toolCallFieldsSchema,
} from '../acp/acp-schemas.js'
import type { EventType } from './events.js'

const record = z.record(z.string(), z.unknown())
const by = { by: z.string().exactOptional() }
const maybeTurn = { turnId: z.string().exactOptional() }

export const checkRunSchema = z.object({
  state: z
    .enum(['running', 'passed', 'failed', 'unknown'])
    .describe(
      '`unknown`: it could not run, was stopped, or ended while no hub could see it; `reason` has a sentence.',
    ),
  command: z.string(),
  startedAt: z.iso.datetime(),
  terminalId: z.string().exactOptional().describe('The terminal that shows its output.'),
  seconds: z.number().exactOptional(),
  exitCode: z.int().exactOptional(),
  reason: z.string().exactOptional().describe('Why there is no exit code.'),
})

export const comparedSessionsSchema = z.object({
  id: z.string().describe('The first of its sessions.'),
  sessionIds: z.array(z.string()),
  isTaken: z
    .literal(true)
    .exactOptional()
    .describe('This session was chosen; the others were given up.'),
})

export const workspaceSchema = z.object({
  kind: z.enum(['shared', 'worktree']),
  path: z.string(),
  branch: z.string().exactOptional().describe('The branch of its own work tree.'),
  base: z.string().exactOptional().describe('The branch or commit that it was made from.'),
  isRemoved: z
    .literal(true)
    .exactOptional()
    .describe('It was removed, after a merge or when its changes were discarded.'),
  kept: z
    .string()
    .exactOptional()
    .describe('The reference of the repository that keeps its work since then.'),
  comparison: comparedSessionsSchema
    .exactOptional()
    .describe('The sessions that have the same prompt and the same base, for other agents.'),
  check: checkRunSchema
    .exactOptional()
    .describe('The latest run of the repository’s check command.'),
})

export const forkPointSchema = z.object({
  sessionId: z.string().describe('The session that was forked.'),
  turnId: z
    .string()
    .exactOptional()
    .describe(
      'The last turn of it that the fork has. Absent when the fork begins before the first one.',
    ),
  seq: z.int().min(0).describe('The last event of it that the fork has.'),
})

export const failureSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: record.exactOptional(),
})

export const eventDataSchemas = {
  'session.created': z
    .looseObject({
      repoId: z.string(),
      extensionId: z.string(),
      cwd: z.string(),
      title: z.string().exactOptional(),
      settings: record.exactOptional(),
      workspace: workspaceSchema.exactOptional(),
      forkedFrom: forkPointSchema.exactOptional(),
      ...by,
    })
    .describe(
      'The session was created, with its repository, agent and author. In a fork it follows the events of the session that was forked.',
    ),
  'session.updated': z
    .looseObject({
      title: z.string().nullable().exactOptional(),
      pinned: z.boolean().exactOptional(),
      archived: z.boolean().exactOptional(),
      ...by,
      settings: record.exactOptional(),
      snapshot: record.exactOptional(),
      workspace: workspaceSchema.exactOptional(),
    })
    .describe('The session was renamed, pinned, archived or configured.'),
  'session.ended': z
    .looseObject({
      status: z.enum(['completed', 'cancelled', 'error']),
      reason: z.string(),
      message: z.string().exactOptional(),
      details: record.exactOptional(),
      ...by,
    })
    .describe(
      'The session ended, with its status and reason: `user_request`, `idle_timeout`, `made_room` (for another session), `hub_drained` (a hub of several that is being emptied), `server_shutdown` (with `details.interrupted` when a turn ran); `agent_exited`; `pipe_broken`, `storage_failed`, `agent_hung` or `lease_lost` when the hub had to end the agent; `hub_crash` (with `details.wasIdle` when nothing ran), and `hub_lost` when another hub took the session over from one that is dead.',
    ),
  'session.resumed': z.looseObject(by).describe('The session is active again.'),
  'agent.started': z
    .looseObject({
      acpSessionId: z.string(),
      how: z.enum(['new', 'resume', 'load', 'fork', 'primer']),
      pid: z.number().exactOptional(),
      agentInfo: record.exactOptional(),
      capabilities: record.exactOptional(),
      modes: sessionModesSchema.exactOptional(),
      configOptions: z.array(configOptionSchema).exactOptional(),
      models: record.exactOptional(),
    })
    .describe(
      'The agent is connected: its own session, how that was opened, its capabilities and options.',
    ),
  'agent.exited': z
    .looseObject({
      reason: z.enum(['stopped', 'crashed', 'hub_crash']),
      exitCode: z.number().nullable().exactOptional(),
      signal: z.string().nullable().exactOptional(),
      stderrTail: z.string().exactOptional(),
      cause: z.string().exactOptional(),
    })
    .describe(
      'The agent exited, with its exit code, signal and the end of its stderr, and with the cause when the hub had to end it.',
    ),
  'agent.auth_changed': z
    .looseObject({ signedIn: z.boolean(), label: z.string().exactOptional() })
    .describe(
      'The agent reports that it is not signed in, or signed in again, with its own words. Until then it counts as signed in.',
    ),
  'turn.queued': z
    .looseObject({
      turnId: z.string(),
      prompt: z.array(contentBlockSchema),
      ...by,
      before: z.string().nullable().exactOptional(),
    })
    .describe('A prompt was accepted or edited; it runs when the prompts before it have ended.'),
  'turn.started': z
    .looseObject({ turnId: z.string() })
    .describe('The prompt is sent to the agent.'),
  'turn.ended': z
    .looseObject({
      turnId: z.string(),
      stopReason: z.string().exactOptional(),
      error: failureSchema.exactOptional(),
      usage: z.unknown().optional(),
      durationMs: z.number().exactOptional(),
      by: z.string().exactOptional(),
      pausesQueue: z.literal(true).exactOptional(),
      reason: z.literal('decision_timeout').exactOptional(),
    })
    .describe(
      'The turn ended, with its stop reason and who or what cancelled it, or with an error.',
    ),
  'acp.update': z
    .looseObject({
      ...maybeTurn,
      update: z.looseObject({ sessionUpdate: z.string() }),
    })
    .describe("An update of the agent, in ACP's form. Unknown kinds are stored too."),
  'permission.requested': z
    .looseObject({
      permissionId: z.string(),
      ...maybeTurn,
      toolCall: toolCallFieldsSchema,
      options: z.array(permissionOptionSchema),
      expiresAt: z.iso.datetime().exactOptional(),
    })
    .describe('The agent asks for a permission, with its tool call and options.'),
  'permission.resolved': z
    .looseObject({
      permissionId: z.string(),
      outcome: permissionOutcomeSchema,
      reason: z.enum([
        'answered',
        'rule',
        'turn_cancelled',
        'timeout',
        'withdrawn',
        'agent_exited',
        'hub_crash',
      ]),
      ...by,
    })
    .describe('The outcome of a permission, with its reason and author.'),
  'question.asked': z
    .looseObject({
      questionId: z.string(),
      ...maybeTurn,
      message: z.string(),
      mode: z.string(),
      requestedSchema: z.unknown().optional(),
      url: z.string().exactOptional(),
      expiresAt: z.iso.datetime().exactOptional(),
    })
    .describe('The agent asks a person to fill in a form or to open an address.'),
  'question.answered': z
    .looseObject({
      questionId: z.string(),
      action: z.enum(['accept', 'decline', 'cancel']),
      content: record.exactOptional(),
      reason: z.string().exactOptional(),
      ...by,
    })
    .describe('The answer to a question, with its author.'),
  'option.set': z
    .looseObject({
      optionId: z.string(),
      value: z.union([z.string(), z.boolean()]),
      ...by,
      configOptions: z.array(configOptionSchema).exactOptional(),
    })
    .describe('A mode, a model or another option was set, with its author.'),
  'terminal.opened': z
    .looseObject({
      terminalId: z.string(),
      command: z.string(),
      args: z.array(z.string()),
      cwd: z.string(),
    })
    .describe('The agent started a terminal command.'),
  'terminal.exited': z
    .looseObject({
      terminalId: z.string(),
      exitCode: z.number().nullable(),
      signal: z.string().nullable(),
      output: z.string().exactOptional(),
      truncated: z.boolean().exactOptional(),
    })
    .describe(
      'The command ended, with its output. A long output has only its end here; its first line has the address of all that was kept.',
    ),
  notice: z
    .looseObject({
      severity: z.enum(['info', 'warning', 'error']),
      code: z.string(),
      message: z.string(),
      ...maybeTurn,
      details: record.exactOptional(),
    })
    .describe('A message of the hub for people.'),
} as const satisfies Record<EventType, z.ZodType>

export const sessionEventSchema = z.discriminatedUnion('type', [
  envelope('session.created'),
  envelope('session.updated'),
  envelope('session.ended'),
  envelope('session.resumed'),
  envelope('agent.started'),
  envelope('agent.exited'),
  envelope('agent.auth_changed'),
  envelope('turn.queued'),
  envelope('turn.started'),
  envelope('turn.ended'),
  envelope('acp.update'),
  envelope('permission.requested'),
  envelope('permission.resolved'),
  envelope('question.asked'),
  envelope('question.answered'),
  envelope('option.set'),
  envelope('terminal.opened'),
  envelope('terminal.exited'),
  envelope('notice'),
])

function envelope<Type extends EventType>(type: Type) {
  return z.looseObject({
    sessionId: z.string(),
    seq: z.int().min(1),
    at: z.number(),
    type: z.literal(type),
    data: eventDataSchemas[type],
  })
}
