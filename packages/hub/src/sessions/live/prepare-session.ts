// Builds the objects that one session consists of: its agent, files, permissions, terminals and its way into the log.
import type { EventBody } from '@quayside/protocol'
import type { AgentRuntime } from '../../agents/agent-runtime.js'
import type { Config } from '../../config/config.js'
import { type Log, logRejection } from '../../log.js'
import type { MessageHooks } from '../../message-hooks.js'
import { ConfinedFiles } from '../../repos/files/confined-files.js'
import type { MediaStore } from '../../store/media.js'
import { AgentTerminals } from '../../terminals/agents/agent-terminals.js'
import { PermissionRules } from '../decisions/permission-rules.js'
import type { EventLog } from '../log/event-log.js'
import type { Projection } from '../log/projection.js'
import type { PutMedia } from '../media/data-uri-offloader.js'
import { offloadEvent } from '../media/offload-media.js'
import { PromptMedia } from '../media/prompt-media.js'
import type { SessionReader } from '../reading/session-reader.js'
import type { Timelines } from '../reading/timeline.js'
import { type AgentSetupInput, resolveAgentSetup } from './agent-setup.js'
import { primerText } from './primer.js'
import { SessionAgent } from './session-agent.js'
import type { LiveSessionDeps } from './session.js'

/** The hub's long-lived objects that sessions use. */
export type PrepareSessionDeps = {
  readonly config: Config
  readonly eventLog: EventLog
  readonly projection: Projection
  readonly timelines: Timelines
  readonly reader: SessionReader
  readonly agents: AgentRuntime
  readonly media: MediaStore
  readonly hooks: MessageHooks
  readonly log: Log
}

export type SessionPlan = AgentSetupInput & { readonly id: string }

/** Throws `agent_not_installed` or `path_outside_root`. Starts no process. */
export function prepareSession(
  deps: PrepareSessionDeps,
  plan: SessionPlan,
): Omit<LiveSessionDeps, 'closing' | 'prepareWorkTree' | 'onEnd'> {
  const { config, eventLog, projection, agents, media, hooks } = deps
  const { id, extension, cwd, settings } = plan
  const { name, quirks } = extension.manifest
  const log = deps.log.child({ sessionId: id })
  const putMedia: PutMedia = (mimeType, bytes) => media.put({ sessionId: id, mimeType, bytes }).url
  const { hubId } = eventLog
  const append = (body: EventBody) => eventLog.append(id, offloadEvent(body, putMedia), { hubId })
  const record = (body: EventBody) => logRejection(log, 'recording a terminal', append(body))
  return {
    id,
    agent: new SessionAgent({
      name,
      lease: (launch) => agents.pool.lease(extension, launch),
      setup: resolveAgentSetup(agents, plan, log),
      quirks,
      openTerminals: (launch) =>
        new AgentTerminals({
          cwd,
          env: agents.owner.own(launch).env,
          log,
          onOpened: (data) => record({ type: 'terminal.opened', data }),
          onExited: (data) => record({ type: 'terminal.exited', data }),
        }),
      append,
      primer: (turnId) => primerText(deps.timelines, id, turnId),
      log,
    }),
    eventLog,
    hubId,
    projection,
    append,
    quirks,
    putMedia,
    hooks,
    promptMedia: new PromptMedia(media, putMedia),
    redactor: agents.redactor,
    files: new ConfinedFiles(cwd),
    policy: new PermissionRules(settings.permissions, cwd, agents.isSensitivePath),
    limits: config,
    log,
  }
}
