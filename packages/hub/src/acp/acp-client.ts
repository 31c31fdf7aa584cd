// One ACP client, to which the hub is an agent. Its requests become the same commands as those of REST and the WebSocket.
import {
  agent,
  type AgentApp,
  type AgentConnection,
  type ClientCapabilities,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type NewSessionRequest,
  type PromptRequest,
  type PromptResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import {
  createSessionSchema,
  forkSessionSchema,
  listSessionsQuerySchema,
  promptBlocks,
  promptSchema,
} from '@quayside/protocol/schemas'
import { relative } from 'node:path'
import { z } from 'zod'
import type { Cluster } from '../cluster/cluster.js'
import { isObject, type JsonObject } from '../json.js'
import { HubError } from '../errors.js'
import { requireShallow } from '../input-depth.js'
import type { Log } from '../log.js'
import type { Repos } from '../repos/repos.js'
import type { Forks } from '../sessions/forks.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { SessionLister } from '../sessions/reading/session-list.js'
import type { SessionReader } from '../sessions/reading/session-reader.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import type { MaybePromise } from '../store/maybe-promise.js'
import type { Sessions } from '../sessions/sessions.js'
import { describeHub } from './acp-capabilities.js'
import type { AcpSession } from './acp-session.js'
import { AttachedSession } from './attached-session.js'
import { watchTerminal } from './live-terminals.js'
import { OwnPrompts } from './own-prompts.js'
import { toRequestError } from './request-error.js'
import type { FindMedia } from './stored-media.js'

export type AcpDeps = {
  /** Undefined when the hub has its database to itself. */
  readonly cluster: Cluster | undefined
  readonly live: LiveSessions
  readonly sessions: Sessions
  readonly forks: Forks
  readonly reader: SessionReader
  readonly lister: SessionLister
  readonly eventLog: EventLog
  readonly repos: Repos
  readonly media: FindMedia
  readonly version: string
  readonly log: Log
}

export type AcpClientOptions = AcpDeps & {
  readonly by: string
  /** The agent of new sessions that do not name one. */
  readonly extensionId: string | undefined
}

/** Each attached session holds a page of its log in memory while the client is slow. */
const MAX_ATTACHED = 64
const LIST_PAGE = '50'

const forkSchema = z.object({ sessionId: z.string(), _meta: z.unknown().optional() })
const setModelSchema = z.object({ sessionId: z.string(), modelId: z.string() })

export class AcpClient {
  readonly #options: AcpClientOptions
  readonly #attached = new Map<string, AttachedSession>()
  readonly #prompts: OwnPrompts
  readonly #connection: AgentConnection
  #capabilities: ClientCapabilities = {}

  /** Serves the stream until it ends. A client that disconnects cancels no turn. */
  constructor(stream: Stream, options: AcpClientOptions) {
    this.#options = options
    this.#prompts = new OwnPrompts(options.by, options.log)
    const app = agent({ name: 'quayside' })
    this.#registerTurns(app)
    this.#registerSessions(app)
    this.#connection = app.connect(stream)
    this.#connection.signal.addEventListener('abort', () => {
      for (const attached of this.#attached.values()) attached.detach()
    })
  }

  get closed(): Promise<void> {
    return this.#connection.closed
  }

  /** `session/prompt` before `session/cancel`: the SDK tries handlers in this order, one microtask each, and a cancel must not overtake its prompt. */
  #registerTurns(app: AgentApp): void {
    app
      .onRequest(
        'session/prompt',
        this.#answering((params, signal) => this.#prompt(params, signal)),
      )
      .onNotification('session/cancel', ({ params }) => this.#cancel(params.sessionId))
      .onRequest(
        'session/set_mode',
        this.#answering(async ({ sessionId, modeId }) => {
          await this.#setOption(sessionId, 'mode', modeId)
          return {}
        }),
      )
      .onRequest(
        'session/set_config_option',
        this.#answering(async ({ sessionId, configId, value }) => {
          const attached = await this.#setOption(sessionId, configId, value)
          return { configOptions: attached.optionsAfter(configId, value) as never }
        }),
      )
      // No longer in ACP, but editors send it to agents that list models in the older way.
      .onRequest(
        'session/set_model',
        (params) => params,
        this.#answering(async (params) => {
          const { sessionId, modelId } = setModelSchema.parse(params)
          await this.#setOption(sessionId, 'model', modelId)
          return {}
        }),
      )
  }

  #registerSessions(app: AgentApp): void {
    app
      .onRequest('initialize', ({ params }) => {
        this.#capabilities = params.clientCapabilities ?? {}
        return describeHub(this.#options.version)
      })
      .onRequest(
        'session/new',
        this.#answering((params) => this.#create(params)),
      )
      .onRequest(
        'session/load',
        this.#answering(({ sessionId }) => this.#open(sessionId, { replays: true })),
      )
      .onRequest(
        'session/resume',
        this.#answering(({ sessionId }) => this.#open(sessionId, { replays: false })),
      )
      // Not in the SDK's schema yet.
      .onRequest(
        'session/fork',
        (params) => params,
        this.#answering((params) => this.#fork(params)),
      )
      .onRequest(
        'session/list',
        this.#answering((params) => this.#list(params)),
      )
      .onRequest(
        'session/close',
        this.#answering(async ({ sessionId }) => {
          this.#detach(sessionId)
          this.#prompts.forget(sessionId)
          return {}
        }),
      )
  }

  async #create({ cwd, mcpServers, _meta }: NewSessionRequest) {
    const { repos, sessions, by, extensionId } = this.#options
    const { repoId, path } = await repos.requireAround(cwd)
    const { settings, ...input } = quaysideMeta(_meta)
    const inner = relative(repos.requireInsideRoot(repoId).path, path)
    const folder = inner === '' ? {} : { cwd: inner }
    const servers = mcpServers.length > 0 ? { mcpServers } : {}
    const session = await sessions.create({
      ...createSessionSchema.parse({
        ...(extensionId === undefined ? {} : { extensionId }),
        ...input,
        repoId,
        settings: { ...folder, ...servers, ...(isObject(settings) ? settings : {}) },
      }),
      by,
    })
    const opened = await this.#open(session.id, { replays: false })
    const { extensionId: chosen } = await this.#options.reader.requireSummary(session.id)
    return { sessionId: session.id, ...opened, _meta: { quayside: { extensionId: chosen } } }
  }

  /** The fork has a work tree of its own: the client's `cwd` is not used. */
  async #fork(params: unknown) {
    const { sessionId, _meta } = forkSchema.parse(params)
    const { forks, cluster, by } = this.#options
    const input = forkSessionSchema.parse(quaysideMeta(_meta))
    const remote = await cluster?.findRemote(sessionId, by)
    const { id } = await (remote ? remote.fork(input) : forks.create(sessionId, input, by))
    return { sessionId: id, ...(await this.#open(id, { replays: false })) }
  }

  /** Opening a session that has ended does not start its agent; the next prompt does. */
  async #open(sessionId: string, options: { replays: boolean }) {
    const attached = await this.#attach(sessionId, options)
    // The SDK's types know only the kinds of options in its schema; agents have others.
    return attached.setup as object
  }

  async #attach(sessionId: string, options: { replays: boolean }): Promise<AttachedSession> {
    await this.#options.reader.requireSummary(sessionId)
    this.#detach(sessionId)
    if (this.#attached.size >= MAX_ATTACHED)
      throw new HubError('bad_request', {
        message: `A connection can follow at most ${MAX_ATTACHED} sessions. Close one, or open another connection.`,
      })
    const attached = new AttachedSession({
      ...this.#options,
      sessionId,
      findSession: () => this.#find(sessionId),
      watchTerminal: (terminalId, signal) =>
        watchTerminal(this.#options, { sessionId, terminalId }, signal),
      client: this.#connection.client,
      gone: this.#connection.signal,
      capabilities: this.#capabilities,
      prompts: this.#prompts,
      onRemoved: () => {
        this.#detach(sessionId)
        this.#prompts.endRemoved(sessionId)
      },
      onLost: (error) => this.#connection.close(error),
    })
    this.#attached.set(sessionId, attached)
    await attached.catchUp(options)
    attached.goLive()
    return attached
  }

  #detach(sessionId: string): void {
    this.#attached.get(sessionId)?.detach()
    this.#attached.delete(sessionId)
  }

  async #prompt(
    { sessionId, prompt }: PromptRequest,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const blocks = promptBlocks(promptSchema.parse({ prompt }))
    return this.#prompts.send({ sessionId, prompt: blocks, signal }, async () => {
      await this.#requireAttached(sessionId)
      return this.#wake(sessionId)
    })
  }

  /** A client without an open prompt of its own stops the running turn, like the stop button of a page. */
  async #cancel(sessionId: string): Promise<void> {
    if (this.#prompts.cancel(sessionId)) return
    await (await this.#find(sessionId))?.cancel({ by: this.#options.by })
  }

  async #setOption(
    sessionId: string,
    optionId: string,
    value: string | boolean,
  ): Promise<AttachedSession> {
    const attached = await this.#requireAttached(sessionId)
    const session = await this.#wake(sessionId)
    await session.setOption(optionId, value, this.#options.by)
    return attached
  }

  async #list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { repos, lister, reader } = this.#options
    const around = cwd ? await repos.findAround(cwd) : undefined
    if (cwd && around === undefined) return { sessions: [] }
    const { sessions, nextCursor } = await lister.list(
      listSessionsQuerySchema.parse({
        limit: LIST_PAGE,
        ...(around && { repoId: around.repoId }),
        ...(cursor ? { cursor } : {}),
      }),
    )
    const infos = sessions.map(async ({ id, title, updatedAt, status, extensionId }) => ({
      sessionId: id,
      cwd: await reader.requireFolder(id),
      ...(title === null ? {} : { title }),
      updatedAt,
      _meta: { quayside: { status, extensionId } },
    }))
    return { sessions: await Promise.all(infos), ...(nextCursor ? { nextCursor } : {}) }
  }

  /** A client may use a session by its id without opening it first. */
  async #requireAttached(sessionId: string): Promise<AttachedSession> {
    return this.#attached.get(sessionId) ?? this.#attach(sessionId, { replays: false })
  }

  /** At once for a session of this hub. Undefined for one that has ended here, and for one whose machine is away. */
  #find(sessionId: string): MaybePromise<AcpSession | undefined> {
    const { live, cluster, by } = this.#options
    const session = live.find(sessionId)
    if (session || cluster === undefined) return session
    return cluster.findRemote(sessionId, by).catch(() => undefined)
  }

  /** Returns the live session, and resumes one that has ended. */
  async #wake(sessionId: string): Promise<AcpSession> {
    const { sessions, cluster, by } = this.#options
    const remote = await cluster?.findRemote(sessionId, by)
    if (remote) {
      await remote.resume()
      return remote
    }
    await sessions.resume(sessionId, by)
    return sessions.requireWritable(sessionId)
  }

  #answering<Params, Result>(
    answer: (params: Params, signal: AbortSignal) => Promise<Result>,
  ): (request: { params: Params; signal: AbortSignal }) => Promise<Result> {
    return async ({ params, signal }) => {
      try {
        return await answer(requireShallow(params), signal)
      } catch (error) {
        throw toRequestError(error, this.#options.log)
      }
    }
  }
}

/** `_meta.quayside` of a request: input that ACP has no field for. */
function quaysideMeta(meta: unknown): JsonObject {
  const own = isObject(meta) ? meta['quayside'] : undefined
  return isObject(own) ? own : {}
}
