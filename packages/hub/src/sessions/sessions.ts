// All sessions: the live ones in memory, the ended ones in the store. Creates, finds and ends them.
import { realpathSync } from 'node:fs'
import { v7 as uuidv7 } from 'uuid'
import { AgentProcess } from '../agents/agent-process.js'
import type { Extensions } from '../agents/extensions.js'
import { resolveLaunch } from '../agents/launch.js'
import type { Config } from '../config.js'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { Repos } from '../repos/repos.js'
import type { EventLog } from './event-log.js'
import { Session } from './session.js'
import type { SessionReader } from './session-reader.js'

export type CreateSession = {
  readonly repoId: string
  readonly extensionId?: string | undefined
  readonly title?: string | undefined
  readonly by: string
}

export type SessionsOptions = {
  readonly config: Config
  readonly eventLog: EventLog
  readonly extensions: Extensions
  readonly repos: Repos
  readonly reader: SessionReader
  readonly log: Log
}

export class Sessions {
  readonly #options: SessionsOptions
  readonly #live = new Map<string, Session>()
  /** Sessions about to be: they count, so that parallel creates never exceed the limit. */
  #starting = 0
  #closing = false

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Resolves with a live session: its agent has answered and it is committed. In every failure nothing stays. */
  async create(wish: CreateSession): Promise<Session> {
    const { config, extensions, repos, log } = this.#options
    if (this.#closing) throw new HubError('shutting_down')
    const repo = repos.requireInsideRoot(wish.repoId)
    const launch = resolveLaunch(extensions.require(wish.extensionId), repo.path, process.env)
    if (this.#live.size + this.#starting >= config.maxSessions) {
      log.warn({ limit: config.maxSessions }, 'session limit reached')
      throw new HubError('session_limit', { limit: config.maxSessions })
    }
    this.#starting += 1
    try {
      const agent = await AgentProcess.start(launch, log)
      return await this.#open(agent, wish, realpathSync(repo.path))
    } finally {
      this.#starting -= 1
    }
  }

  /** The live session. Throws `session_not_active` with its status when it has ended. */
  async requireActive(id: string): Promise<Session> {
    const session = this.#live.get(id)
    if (session) return session
    const summary = await this.#options.reader.requireSummary(id)
    throw new HubError('session_not_active', { sessionId: id, status: summary.status })
  }

  findLive(id: string): Session | undefined {
    return this.#live.get(id)
  }

  /** Cancels every session; for the end of the hub. */
  async close(): Promise<void> {
    this.#closing = true
    const end = { status: 'cancelled', reason: 'server_shutdown' } as const
    await Promise.all([...this.#live.values()].map((session) => session.end(end)))
  }

  async #open(agent: AgentProcess, wish: CreateSession, cwd: string): Promise<Session> {
    const { eventLog, extensions, config, log } = this.#options
    const id = uuidv7()
    try {
      const { acpSessionId, ...acp } = await agent.newSession(cwd)
      const title = wish.title === undefined ? {} : { title: wish.title }
      const extensionId = extensions.require(wish.extensionId).manifest.id
      await eventLog.append(id, {
        type: 'session.created',
        data: { repoId: wish.repoId, extensionId, cwd, ...title, by: wish.by },
      })
      const { agentInfo, capabilities } = agent.description
      await eventLog.append(id, {
        type: 'agent.started',
        data: {
          acpSessionId,
          how: 'new',
          ...(agent.pid === undefined ? {} : { pid: agent.pid }),
          ...(agentInfo ? { agentInfo } : {}),
          ...(capabilities ? { capabilities } : {}),
          ...acp,
        },
      })
      const { permissionTimeoutMs, cancelGraceMs } = config
      const onEnd = (): void => this.#forget(id)
      const limits = { permissionTimeoutMs, cancelGraceMs, onEnd }
      const session = new Session({ id, agent, acpSessionId, eventLog, log, ...limits })
      this.#live.set(id, session)
      log.info({ sessionId: id, cwd, extensionId, active: this.#live.size }, 'session created')
      return session
    } catch (error) {
      await agent.stop()
      throw error
    }
  }

  #forget(id: string): void {
    this.#live.delete(id)
    this.#options.log.info({ sessionId: id, active: this.#live.size }, 'session ended')
  }
}
