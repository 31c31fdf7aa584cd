// Renames, pins, archives and sets up sessions, active or not.
import type { Workspace } from '@quayside/protocol'
import type { SessionEdit, SessionSettings } from '@quayside/protocol/schemas'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { fillSecrets } from '../agents/mcp/mcp-secrets.js'
import type { ServerSecrets } from '../agents/mcp/server-secrets.js'
import { checkSessionSettings } from '../agents/extensions/settings-values.js'
import type { SessionWorkspace, Workspaces } from '../workspaces/workspaces.js'
import { HubError } from '../errors.js'
import { requireTrust, resolveAgentSetup, type TrustDeps } from './live/agent-setup.js'
import type { LiveSessions } from './live/live-sessions.js'
import type { EventLog } from './log/event-log.js'
import type { SessionReader } from './reading/session-reader.js'
import type { Retention } from './upkeep/retention.js'

export type SessionEditsDeps = TrustDeps & {
  readonly live: LiveSessions
  readonly eventLog: EventLog
  readonly reader: SessionReader
  readonly workspaces: Workspaces
  readonly agents: AgentRuntime
  readonly secrets: ServerSecrets
  readonly retention: Retention
}

/** New settings, and the result of merging them into the stored ones. */
type SettingsChange = SessionWorkspace & {
  readonly extensionId: string
  readonly settings: SessionSettings
  readonly merged: SessionSettings
}

export class SessionEdits {
  readonly #deps: SessionEditsDeps
  /** The last edit of each session that is not committed yet. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(deps: SessionEditsDeps) {
    this.#deps = deps
  }

  apply(id: string, edit: SessionEdit, by: string): Promise<void> {
    return this.#inOrder(id, () => this.#apply(id, edit, by))
  }

  /** Records facts about the session's work tree. Without `by` they are the hub's own. */
  changeWorkspace(id: string, change: Partial<Workspace>, by?: string): Promise<void> {
    return this.#inOrder(id, async () => {
      const { reader, eventLog, retention } = this.#deps
      const { workspace: before } = await reader.requireRow(id)
      retention.requireNotRemoved(id)
      if (before === undefined) return
      const workspace = { ...before, ...change }
      const data = { workspace, ...(by !== undefined && { by }) }
      await eventLog.append(id, { type: 'session.updated', data })
    })
  }

  /** Edits of a session run one after the other, because settings are merged. */
  async #inOrder(id: string, edit: () => Promise<void>): Promise<void> {
    const before = this.#running.get(id) ?? Promise.resolve()
    const applied = before.catch(() => undefined).then(edit)
    this.#running.set(id, applied)
    try {
      await applied
    } finally {
      if (this.#running.get(id) === applied) this.#running.delete(id)
    }
  }

  async #apply(id: string, { settings, ...edit }: SessionEdit, by: string): Promise<void> {
    const { reader, eventLog, secrets, retention } = this.#deps
    const row = await reader.requireRow(id)
    const settled = settings && mergeSettings(secrets.reveal(id, row.settings), settings)
    const useSettings = settled && (await this.#prepareSettings(id, { ...row, ...settled }))
    retention.requireNotRemoved(id)
    const hidden = settled && secrets.keep(id, settled.merged)
    const data = { ...edit, ...(hidden ? { settings: hidden } : {}), by }
    await eventLog.append(id, { type: 'session.updated', data })
    if (hidden) secrets.settle(id, hidden)
    useSettings?.()
  }

  /** Checks settings and returns the function that applies them to a live session. */
  async #prepareSettings(id: string, change: SettingsChange): Promise<(() => void) | undefined> {
    const { live, workspaces, agents, log } = this.#deps
    requireSameWorkspace(change)
    const cwd = workspaces.require(change)
    const extension = agents.extensions.require(change.extensionId)
    checkSessionSettings(extension, change.settings)
    await requireTrust(this.#deps, change.repoId, { path: cwd, settings: change.merged })
    if (live.find(id) === undefined) return undefined
    const setup = resolveAgentSetup(agents, { extension, cwd, settings: change.merged }, log)
    return () => live.find(id)?.changeSettings(change.merged, setup)
  }
}

function requireSameWorkspace({ workspace, merged }: SettingsChange): void {
  const { kind = 'shared' } = workspace ?? {}
  if ((merged.workspace ?? kind) === kind) return
  throw new HubError('invalid_settings', {
    message: `settings.workspace is ${kind} and cannot change. Create a new session for another workspace.`,
  })
}

/** Placeholders of secrets in `settings` stand for the values before. */
function mergeSettings(
  before: SessionSettings,
  settings: SessionSettings,
): Pick<SettingsChange, 'settings' | 'merged'> {
  const { mcpServers } = settings
  const servers = mcpServers && { mcpServers: fillSecrets(mcpServers, before.mcpServers ?? []) }
  const filled = { ...settings, ...servers }
  return { settings: filled, merged: withoutNulls({ ...before, ...filled }) }
}

/** `null` removes a setting, so that the hub-wide one applies. */
export function withoutNulls(settings: SessionSettings): SessionSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
}
