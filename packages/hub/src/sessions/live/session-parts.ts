// Puts together what one session consists of: its agent, files, terminals and the way of its updates into the log.
import { resolve } from 'node:path'
import type { AgentRuntime } from '../../agents/agent-runtime.js'
import type { Workplace } from '../../agents/connection/agent-process.js'
import type { InstalledExtension } from '../../agents/extensions/extensions.js'
import type { Launch } from '../../agents/extensions/launch.js'
import type { Config } from '../../config.js'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { ConfinedFiles } from '../../repos/confined-files.js'
import { findRealPath, isInside } from '../../repos/repos.js'
import type { MediaStore } from '../../store/media.js'
import { AgentTerminals } from '../../terminals/agent-terminals.js'
import type { EventBody } from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import type { PutMedia } from '../media/data-uris.js'
import type { EventLog } from '../log/event-log.js'
import { PermissionPolicy } from '../decisions/permission-policy.js'
import { primerText } from './primer.js'
import { PromptMedia } from '../media/prompt-media.js'
import { type AgentPlace, SessionAgent } from './session-agent.js'
import type { SessionOptions } from './session.js'
import type { SessionReader } from '../reading/session-reader.js'
import { lightenEvent, lightenExit } from '../media/event-media.js'

/** The hub's long-lived objects that sessions use. */
export type SessionGround = {
  readonly config: Config
  readonly eventLog: EventLog
  readonly reader: SessionReader
  readonly agents: AgentRuntime
  readonly media: MediaStore
  readonly log: Log
}

/** What distinguishes one session from another. */
export type SessionPlan = {
  readonly id: string
  readonly extension: InstalledExtension
  /** The real path of its repository. */
  readonly cwd: string
  readonly settings: SessionSettings
}

/** Throws `agent_not_installed` or `invalid_settings` before anything is started. */
export function prepareSession(
  ground: SessionGround,
  plan: SessionPlan,
): Omit<SessionOptions, 'closing' | 'onTurn' | 'onEnd'> {
  const { config, eventLog, agents, media } = ground
  const { id, extension, cwd, settings } = plan
  const { quirks } = extension.manifest
  const log = ground.log.child({ sessionId: id })
  const putMedia: PutMedia = (mimeType, bytes) => media.put({ sessionId: id, mimeType, bytes }).url
  const append = (body: EventBody) => eventLog.append(id, lightenEvent(body, putMedia))
  const note = (body: EventBody) => logRejection(log, 'noting a terminal', append(body))
  return {
    id,
    agent: new SessionAgent({
      lease: (launch) => agents.pool.lease(extension, launch),
      place: placeOf(agents, plan, log),
      quirks,
      openTerminals: (launch) =>
        new AgentTerminals({
          cwd,
          env: agents.owner.own(launch).env,
          log,
          onOpened: (data) => note({ type: 'terminal.opened', data }),
          onExited: (data) => note({ type: 'terminal.exited', data: lightenExit(data, putMedia) }),
        }),
      append,
      primer: async () => primerText(await ground.reader.messages(id)),
      log,
    }),
    eventLog,
    append,
    quirks,
    putMedia,
    promptMedia: new PromptMedia(media, putMedia),
    redactor: agents.redactor,
    files: new ConfinedFiles(cwd),
    policy: new PermissionPolicy(settings.permissions, cwd, agents.isSensitivePath),
    limits: config,
    log,
  }
}

/** Throws `agent_not_installed`, or `path_outside_root` for a folder that is not the session's. */
export function placeOf(
  agents: AgentRuntime,
  { extension, cwd, settings }: Omit<SessionPlan, 'id'>,
  log: Log,
): AgentPlace {
  return {
    launch: launchOf(agents, { extension, cwd, settings }, log),
    workplace: workplaceOf(cwd, settings, log),
    choices: agents.choicesOf(extension, settings),
  }
}

/** Whoever set the hub up finds in its log where the agent's program was looked for. */
function launchOf(
  agents: AgentRuntime,
  { extension, cwd, settings }: Omit<SessionPlan, 'id'>,
  log: Log,
): Launch {
  try {
    return agents.launchOf(extension, cwd, settings)
  } catch (error) {
    if (error instanceof HubError && error.code === 'agent_not_installed')
      log.warn(error.details, error.message)
    throw error
  }
}

/** `settings.cwd` is a folder inside the repository. */
export function workplaceOf(repository: string, settings: SessionSettings, log: Log): Workplace {
  const { cwd, mcpServers = [] } = settings
  if (typeof cwd !== 'string') return { cwd: repository, mcpServers }
  const folder = findRealPath(resolve(repository, cwd))
  if (folder === undefined || !isInside(folder, repository)) {
    log.warn(
      { security: true, repository, path: cwd },
      'a folder outside the repository was refused',
    )
    throw new HubError('path_outside_root', {
      message: `settings.cwd must be a folder inside the repository; ${cwd} is not.`,
      cwd,
    })
  }
  return { cwd: folder, mcpServers }
}
