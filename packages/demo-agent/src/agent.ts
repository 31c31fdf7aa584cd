// The agent's ACP methods: each opens, lists or closes sessions, or runs a turn.
import { agent, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
import type {
  AgentApp,
  AgentCapabilities,
  AgentContext,
  AgentRequestContext,
  ClientCapabilities,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  SessionUpdate,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk'
import { promptText, rememberedPrompt, replay } from './sessions/conversation.js'
import type { ConversationStore } from './sessions/conversation-store.js'
import { misbehave } from './faults.js'
import type { Lifetime } from './lifetime.js'
import {
  configOptionsOf,
  isMode,
  isModel,
  optionsOf,
  setModelSchema,
} from './sessions/session-options.js'
import type { Session } from './sessions/session.js'
import { forkSchema, Sessions } from './sessions/sessions.js'
import type { Settings } from './settings.js'
import { AUTH_STATUS, SignIn } from './sign-in.js'
import type { StdoutWire } from './stdout-wire.js'
import { giveTour } from './tour/tour.js'
import { Turn } from './turn.js'
import type { Sleep } from './turn.js'
import { availableCommands, findWord, runWord } from './words/words.js'

export interface AgentDeps {
  readonly settings: Settings
  readonly store: ConversationStore
  readonly wire: StdoutWire
  readonly lifetime: Lifetime
  readonly sleep: Sleep
}

export class DemoAgent {
  readonly #sessions: Sessions
  readonly #signIn: SignIn
  #clientCapabilities: ClientCapabilities = {}

  constructor(private readonly deps: AgentDeps) {
    this.#sessions = new Sessions(deps.store, deps.settings.faults.has('same-id'))
    this.#signIn = new SignIn(deps.settings)
  }

  app(): AgentApp {
    const { session } = methods.agent
    const { faults } = this.deps.settings
    const app = agent({ name: 'quayside-demo-agent' })
      .onRequest(session.prompt, (context) => this.#prompt(context))
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.#clientCapabilities = params.clientCapabilities ?? {}
        return {
          protocolVersion: faults.has('protocol') ? PROTOCOL_VERSION + 1 : PROTOCOL_VERSION,
          agentInfo: {
            name: faults.has('nameless') ? (null as never) : 'quayside-demo-agent',
            title: 'Demo agent',
            version: '0.1.0',
          },
          agentCapabilities: this.#capabilities(),
          authMethods: this.#signIn.methods,
        }
      })
      .onRequest(session.new, (context) => this.#newSession(context))
      .onRequest(session.setMode, ({ params, client }) => {
        const opened = this.#sessions.require(params.sessionId)
        this.#setMode(opened, params.modeId)
        this.#sendSoon(client, opened.id, this.#optionUpdates(opened))
      })
    this.#addSessionMethods(app)
    this.#addModelMethods(app)
    this.#addSignInMethods(app)
    return app.onNotification(session.cancel, ({ params }) => {
      if (!faults.has('ignore-cancel')) this.#sessions.find(params.sessionId)?.cancelTurn()
    })
  }

  /** The client disconnected: all turns are cancelled. */
  cancelAll() {
    this.#sessions.cancelAll()
  }

  #capabilities(): AgentCapabilities {
    const { capabilities, inputs } = this.deps.settings
    return {
      loadSession: capabilities.has('load'),
      promptCapabilities: {
        image: inputs.has('image'),
        audio: inputs.has('audio'),
        embeddedContext: inputs.has('embeddedContext'),
      },
      mcpCapabilities: { http: inputs.has('http'), sse: inputs.has('sse') },
      ...(this.deps.settings.signIn !== '0' && { auth: { logout: {} } }),
      sessionCapabilities: {
        ...(capabilities.has('resume') && { resume: {} }),
        ...(capabilities.has('fork') && { fork: {} }),
        ...(capabilities.has('list') && { list: {} }),
        ...(capabilities.has('close') && { close: {} }),
      },
    }
  }

  /** A method that is switched off is not registered, so the SDK answers -32601. */
  #addSessionMethods(app: AgentApp) {
    const { settings, store } = this.deps
    const { session } = methods.agent
    if (settings.capabilities.has('load')) {
      app.onRequest(session.load, async ({ params, client }) => {
        const loaded = this.#reopen(params)
        const updates = [...replay(loaded.conversation)]
        if (settings.replay === 'late') return this.#opened(loaded, client, updates)
        for (const update of updates) await send(client, loaded.id, update)
        return this.#opened(loaded, client)
      })
    }
    if (settings.capabilities.has('resume')) {
      app.onRequest(session.resume, ({ params, client }) =>
        this.#opened(this.#reopen(params), client),
      )
    }
    if (settings.capabilities.has('fork')) {
      app.onRequest('session/fork', forkSchema, ({ params, client }) => {
        this.#signIn.require()
        const fork = this.#sessions.fork(params)
        return { sessionId: fork.id, ...this.#opened(fork, client) }
      })
    }
    if (settings.capabilities.has('list')) {
      app.onRequest(session.list, ({ params }) => {
        if (settings.faults.has('hollow-list')) throw RequestError.methodNotFound(session.list)
        const conversations = store.list().filter(({ cwd }) => !params.cwd || cwd === params.cwd)
        return {
          sessions: conversations.map(({ sessionId, cwd, title, updatedAt }) => ({
            sessionId,
            cwd,
            title,
            updatedAt: new Date(updatedAt).toISOString(),
          })),
        }
      })
    }
    if (settings.capabilities.has('close')) {
      app.onRequest(session.close, ({ params }) => this.#sessions.close(params.sessionId))
    }
  }

  #addModelMethods(app: AgentApp) {
    if (this.deps.settings.models === 'options') {
      const { setConfigOption } = methods.agent.session
      app.onRequest(setConfigOption, ({ params, client }) => this.#setOption(params, client))
      return
    }
    app.onRequest('session/set_model', setModelSchema, ({ params }) => {
      this.#setModel(this.#sessions.require(params.sessionId), params.modelId)
      return {}
    })
  }

  #addSignInMethods(app: AgentApp) {
    if (this.deps.settings.signIn === '0') return
    app
      .onRequest(methods.agent.authenticate, ({ params }) => {
        this.#signIn.authenticate(params.methodId)
      })
      .onRequest(methods.agent.logout, () => this.#signIn.logout())
  }

  async #newSession(context: AgentRequestContext<NewSessionRequest>): Promise<NewSessionResponse> {
    const { params, client, requestId } = context
    const { settings, wire } = this.deps
    this.#signIn.require()
    const session = this.#sessions.create(params)
    const { status } = this.#signIn
    if (status) await client.notify(AUTH_STATUS, { authStatus: status })
    if (!settings.earlyUpdate) {
      return { sessionId: session.id, ...this.#opened(session, client) }
    }
    wire.holdUntilResponse(requestId)
    await send(client, session.id, commandsUpdate())
    return { sessionId: session.id, ...optionsOf(session.conversation, settings) }
  }

  #reopen(params: ResumeSessionRequest): Session {
    this.#signIn.require()
    const session = this.#sessions.reopen(params)
    if (this.deps.settings.faults.has('forget')) session.conversation.turns.length = 0
    return session
  }

  /** The response that opens a session; late updates and then the commands follow it. */
  #opened(session: Session, client: AgentContext, late: readonly SessionUpdate[] = []) {
    this.#sendSoon(client, session.id, [...late, commandsUpdate()])
    return optionsOf(session.conversation, this.deps.settings)
  }

  async #prompt(context: AgentRequestContext<PromptRequest>): Promise<PromptResponse> {
    const { params, signal: requestSignal } = context
    const session = this.#sessions.require(params.sessionId)
    const { wire, settings, lifetime, sleep } = this.deps
    if (session.isRunning && settings.faults.has('drop-second')) return new Promise(() => {})
    return session.runTurn(async (signal) => {
      requestSignal.addEventListener('abort', () => session.cancelTurn(), { once: true })
      const memory = { prompt: rememberedPrompt(params.prompt), updates: [] }
      session.conversation.turns.push(memory)
      this.deps.store.save(session.conversation)
      const isMixed = settings.faults.has('mix-sessions')
      const turn = new Turn({
        session,
        updateSessionId: () => (isMixed ? this.#sessions.newestId : undefined) ?? session.id,
        memory,
        signal,
        wire,
        settings,
        lifetime,
        sleep,
        prompt: params.prompt,
        client: context.client,
        clientCapabilities: this.#clientCapabilities,
        requestId: context.requestId,
      })
      try {
        await misbehave(turn)
        return await answer(turn)
      } finally {
        this.deps.store.save(session.conversation)
      }
    })
  }

  #setMode(session: Session, modeId: string) {
    if (!isMode(modeId)) throw RequestError.invalidParams({ modeId }, 'no such mode')
    session.conversation.modeId = modeId
    this.deps.store.save(session.conversation)
  }

  #setModel(session: Session, model: string) {
    if (!isModel(model)) throw RequestError.invalidParams({ model }, 'no such model')
    session.conversation.model = model
    this.deps.store.save(session.conversation)
  }

  #setOption(params: SetSessionConfigOptionRequest, client: AgentContext) {
    const session = this.#sessions.require(params.sessionId)
    const { configId, value } = params
    if (configId === 'mode' && typeof value === 'string') {
      this.#setMode(session, value)
      const update = { sessionUpdate: 'current_mode_update', currentModeId: value } as const
      this.#sendSoon(client, session.id, [update])
    } else if (configId === 'model' && typeof value === 'string') {
      this.#setModel(session, value)
    } else {
      throw RequestError.invalidParams({ configId, value }, 'no such option')
    }
    return { configOptions: configOptionsOf(session.conversation) }
  }

  #optionUpdates({ conversation }: Session): SessionUpdate[] {
    if (this.deps.settings.models === 'legacy') return []
    const configOptions = configOptionsOf(conversation)
    return [{ sessionUpdate: 'config_option_update', configOptions }]
  }

  /** Sends updates after the response that is about to be returned. */
  #sendSoon(client: AgentContext, sessionId: string, updates: readonly SessionUpdate[]) {
    setImmediate(() => {
      // Each `notify` enters the SDK's queue at once.
      for (const update of updates) {
        send(client, sessionId, update).catch((error: unknown) => console.error('Not sent:', error))
      }
    })
  }
}

async function answer(turn: Turn): Promise<PromptResponse> {
  try {
    const call = findWord(promptText(turn.deps.prompt))
    const extras = call ? await runWord(turn, call) : await giveTour(turn)
    return { stopReason: 'end_turn', ...extras }
  } catch (error) {
    if (turn.signal.aborted) return { stopReason: 'cancelled' }
    throw error
  }
}

function commandsUpdate(): SessionUpdate {
  return { sessionUpdate: 'available_commands_update', availableCommands: availableCommands() }
}

async function send(client: AgentContext, sessionId: string, update: SessionUpdate) {
  await client.notify(methods.client.session.update, { sessionId, update })
}
