// The active sessions in memory, and those that are starting: starts them within their limit, makes room for another one, and ends
// all of them when the hub stops.
import type { EventBody } from '@quayside/protocol'
import { HubError } from '../../errors.js'
import type { SessionChanges } from '../changes/session-changes.js'
import type { AgentPast } from './session-agent.js'
import { prepareSession, type PrepareSessionDeps, type SessionPlan } from './prepare-session.js'
import { Session } from './session.js'
import type { WorkspaceSetups } from '../../workspaces/workspace-setups.js'
import type { KnownTurns } from './turn-queue.js'
import { unaskedNotice } from './unasked-notice.js'

export type LiveSessionsDeps = PrepareSessionDeps & {
  readonly changes: SessionChanges
  readonly setups: Pick<WorkspaceSetups, 'whenDone'>
}

/** The past of a session that is resumed, or that of a fork. */
export type Past = AgentPast & { readonly turns: KnownTurns }

export class LiveSessions {
  readonly #deps: LiveSessionsDeps
  readonly #active = new Map<string, Session>()
  /** Starting sessions count, so that parallel requests never exceed the limit. */
  readonly #starting = new Map<string, Promise<Session>>()
  readonly #closing = new AbortController()
  #refusal: () => HubError | undefined = () => undefined

  constructor(deps: LiveSessionsDeps) {
    this.#deps = deps
  }

  get all(): readonly Session[] {
    return [...this.#active.values()]
  }

  /** Those that are not among `all` yet. */
  get starting(): readonly Promise<Session>[] {
    return [...this.#starting.values()]
  }

  find(id: string): Session | undefined {
    return this.#active.get(id)
  }

  /** Active or starting. */
  isInUse(id: string): boolean {
    return this.#active.has(id) || this.#starting.has(id)
  }

  /** The limit of active sessions. */
  get max(): number {
    return this.#deps.config.maxSessions
  }

  /** Resolves when the agent has answered and the first event is committed. Throws as `requireRoom` does. */
  start(plan: SessionPlan, first: EventBody, past?: Past): Promise<Session> {
    this.requireRoom()
    const start = this.#connect(plan, first, past).finally(() => this.#starting.delete(plan.id))
    this.#starting.set(plan.id, start)
    return start
  }

  /** Puts idle sessions to sleep until there is room for so many, or none is idle. */
  async makeRoom(by: string, count = 1): Promise<void> {
    while (!this.hasRoom(count)) {
      const idle = this.#findLongestIdle()
      if (idle === undefined) return
      await idle.end({ status: 'completed', reason: 'made_room', by })
    }
  }

  /** Cancels every session when the hub stops; those that are starting now when they have started. */
  async close(): Promise<void> {
    this.#closing.abort()
    const end = { status: 'cancelled', reason: 'server_shutdown' } as const
    // Recovery at the next start appends ends that cannot be stored now.
    const endActive = () =>
      Promise.allSettled(
        this.all.map((session) => {
          const wasIdle = session.idleSince !== undefined
          return session.end(wasIdle ? end : { ...end, details: { interrupted: true } })
        }),
      )
    const ended = endActive()
    await Promise.allSettled(this.#starting.values())
    await Promise.all([ended, endActive()])
  }

  hasRoom(count = 1): boolean {
    return this.#active.size + this.#starting.size + count <= this.max
  }

  /** Never one that works or waits for a person. */
  #findLongestIdle(): Session | undefined {
    const idle = this.all.filter(({ idleSince }) => idleSince !== undefined)
    return idle.toSorted((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0))[0]
  }

  /** New work is refused while `find` returns the reason. */
  refuseWhile(find: () => HubError | undefined): void {
    this.#refusal = find
  }

  get isAccepting(): boolean {
    return this.#refusal() === undefined
  }

  /** Throws `hub_draining` while the hub is being emptied. */
  requireAccepting(): void {
    const refusal = this.#refusal()
    if (refusal) throw refusal
  }

  /** Throws `session_limit`, `shutting_down` and `hub_draining`. */
  requireRoom(count = 1): void {
    if (this.#closing.signal.aborted) throw new HubError('shutting_down')
    this.requireAccepting()
    if (this.hasRoom(count)) return
    const limit = this.max
    this.#deps.log.warn({ limit }, 'session limit reached')
    const canMakeRoom = count <= limit && this.#findLongestIdle() !== undefined
    const advice = canMakeRoom
      ? 'Send "makeRoom": true to put the longest idle one to sleep, or end one.'
      : 'All of them work or wait for a person: end one, or wait a minute and try again.'
    const active = this.#active.size + this.#starting.size
    const message =
      count > limit
        ? `${count} sessions are more than the limit of ${limit} active ones. Raise AGENT_MAX_SESSIONS where the hub runs, or begin fewer.`
        : count === 1
          ? `There are ${limit} active sessions, which is the limit. ${advice}`
          : `There are ${active} active sessions, so ${count} more would exceed the limit of ${limit}. ${advice}`
    throw new HubError('session_limit', { message, limit, canMakeRoom })
  }

  async #connect(plan: SessionPlan, first: EventBody, past: Past | undefined): Promise<Session> {
    const { id, cwd, extension } = plan
    const options = prepareSession(this.#deps, plan)
    const { agent, append } = options
    const isNew = first.type === 'session.created'
    const isEager = past !== undefined || extension.manifest.agent.eagerSessionInit
    const started = isEager ? await agent.connect(past) : undefined
    try {
      // In the same commit: no session is stored without its agent.
      const bodies: EventBody[] = [
        first,
        ...(started ? [{ type: 'agent.started', data: started } as const] : []),
        ...(isNew ? this.#unaskedNotice(plan) : []),
      ]
      await Promise.all(bodies.map((body) => append(body)))
    } catch (error) {
      await agent.stop()
      throw error
    }
    const { changes, setups } = this.#deps
    if (isNew) agent.waitFor(changes.begin(id, cwd))
    const session = new Session({
      ...options,
      known: past?.turns,
      closing: this.#closing.signal,
      prepareWorkTree: async (turn) => {
        await setups.whenDone(id)
        // A session that has ended meanwhile would be watched for ever.
        if (session.ended === undefined) await changes.beginTurn(id, cwd, turn)
      },
      onEnd: () => this.#remove(id),
    })
    this.#active.set(id, session)
    const facts = { sessionId: id, cwd, how: started?.how, active: this.#active.size }
    this.#deps.log.info(facts, 'session is active')
    return session
  }

  #unaskedNotice({ extension, cwd, settings }: SessionPlan): EventBody[] {
    return unaskedNotice(extension, this.#deps.agents.launchOf(extension, cwd, settings))
  }

  #remove(id: string): void {
    this.#active.delete(id)
    this.#deps.changes.end(id)
    this.#deps.log.info({ sessionId: id, active: this.#active.size }, 'session ended')
  }
}
