// The ACP side: which methods this agent answers, and what each one does with sessions and turns.
import { agent, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
import type {
  AgentApp,
  AgentCapabilities,
  AgentContext,
  AgentRequestContext,
  ClientCapabilities,
  JsonRpcId,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk'
import { promptText, rememberedPrompt, replay } from './conversation.js'
import type { ConversationStore } from './conversation-store.js'
import { configOptionsOf, isMode, isModel, modesOf } from './session-options.js'
import type { Session } from './session.js'
import { Sessions } from './sessions.js'
import type { Settings } from './settings.js'
import type { StdoutWire } from './stdout-wire.js'
import { giveTour } from './tour.js'
import { Turn } from './turn.js'
import { availableCommands, findWord, runWord } from './words/words.js'

export interface AgentParts {
  readonly settings: Settings
  readonly store: ConversationStore
  readonly wire: StdoutWire
}

export class DemoAgent {
  readonly #sessions: Sessions
  #clientCapabilities: ClientCapabilities = {}

  constructor(private readonly parts: AgentParts) {
    this.#sessions = new Sessions(parts.store)
  }

  app(): AgentApp {
    const { session } = methods.agent
    const app = agent({ name: 'quayside-demo-agent' })
      .onRequest(session.prompt, (context) => this.#prompt(context))
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.#clientCapabilities = params.clientCapabilities ?? {}
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name: 'quayside-demo-agent', title: 'Demo agent', version: '0.1.0' },
          agentCapabilities: this.#capabilities(),
          authMethods: [],
        }
      })
      .onRequest(session.new, (context) => this.#newSession(context.params.cwd, context))
      .onRequest(session.setMode, ({ params, client }) => {
        this.#setMode(this.#sessions.require(params.sessionId), params.modeId)
        this.#sendSoon(client, params.sessionId, this.#configOptionUpdate(params.sessionId))
      })
      .onRequest(session.setConfigOption, ({ params, client }) => this.#setOption(params, client))
    this.#addOptionalMethods(app)
    return app.onNotification(session.cancel, ({ params }) => {
      this.#sessions.find(params.sessionId)?.cancelTurn()
    })
  }

  /** The client is gone: nothing may go on without it. */
  cancelAll() {
    this.#sessions.cancelAll()
  }

  #capabilities(): AgentCapabilities {
    const { capabilities } = this.parts.settings
    return {
      loadSession: capabilities.has('load'),
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: {
        ...(capabilities.has('resume') && { resume: {} }),
        ...(capabilities.has('list') && { list: {} }),
        ...(capabilities.has('close') && { close: {} }),
      },
    }
  }

  /** A method that is switched off is not registered, so the SDK answers -32601. */
  #addOptionalMethods(app: AgentApp) {
    const { settings, store } = this.parts
    const { session } = methods.agent
    if (settings.capabilities.has('load')) {
      app.onRequest(session.load, async ({ params, client }) => {
        const loaded = this.#sessions.reopen(params.sessionId, params.cwd)
        for (const update of replay(loaded.conversation)) await send(client, loaded.id, update)
        return this.#opened(loaded, client)
      })
    }
    if (settings.capabilities.has('resume')) {
      app.onRequest(session.resume, ({ params, client }) =>
        this.#opened(this.#sessions.reopen(params.sessionId, params.cwd), client),
      )
    }
    if (settings.capabilities.has('list')) {
      app.onRequest(session.list, ({ params }) => {
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

  async #newSession(
    cwd: string,
    { client, requestId }: { client: AgentContext; requestId: JsonRpcId },
  ): Promise<NewSessionResponse> {
    const session = this.#sessions.create(cwd)
    if (!this.parts.settings.earlyUpdate) {
      return { sessionId: session.id, ...this.#opened(session, client) }
    }
    this.parts.wire.holdUntilResponse(requestId)
    await send(client, session.id, commandsUpdate())
    return { sessionId: session.id, ...optionsOf(session) }
  }

  /** The response that opens a session; the commands follow right behind it. */
  #opened(session: Session, client: AgentContext) {
    this.#sendSoon(client, session.id, commandsUpdate())
    return optionsOf(session)
  }

  async #prompt(context: AgentRequestContext<PromptRequest>): Promise<PromptResponse> {
    const { params, signal: requestSignal } = context
    const session = this.#sessions.require(params.sessionId)
    return session.runTurn(async (signal) => {
      requestSignal.addEventListener('abort', () => session.cancelTurn(), { once: true })
      const memory = { prompt: rememberedPrompt(params.prompt), updates: [] }
      session.conversation.turns.push(memory)
      this.parts.store.save(session.conversation)
      const { wire, settings } = this.parts
      const turn = new Turn({
        session,
        memory,
        signal,
        wire,
        prompt: params.prompt,
        client: context.client,
        clientCapabilities: this.#clientCapabilities,
        requestId: context.requestId,
        pace: settings.pace,
      })
      try {
        return await answer(turn)
      } finally {
        this.parts.store.save(session.conversation)
      }
    })
  }

  #setMode(session: Session, modeId: string) {
    if (!isMode(modeId)) throw RequestError.invalidParams({ modeId }, 'no such mode')
    session.conversation.modeId = modeId
    this.parts.store.save(session.conversation)
  }

  #setOption(params: SetSessionConfigOptionRequest, client: AgentContext) {
    const session = this.#sessions.require(params.sessionId)
    const { configId, value } = params
    if (configId === 'mode' && typeof value === 'string') {
      this.#setMode(session, value)
      const update = { sessionUpdate: 'current_mode_update', currentModeId: value } as const
      this.#sendSoon(client, session.id, update)
    } else if (configId === 'model' && typeof value === 'string' && isModel(value)) {
      session.conversation.model = value
      this.parts.store.save(session.conversation)
    } else {
      throw RequestError.invalidParams({ configId, value }, 'no such option or value')
    }
    return { configOptions: configOptionsOf(session.conversation) }
  }

  #configOptionUpdate(sessionId: string): SessionUpdate {
    const { conversation } = this.#sessions.require(sessionId)
    return { sessionUpdate: 'config_option_update', configOptions: configOptionsOf(conversation) }
  }

  /** Sends an update behind the response that is about to be returned. */
  #sendSoon(client: AgentContext, sessionId: string, update: SessionUpdate) {
    setImmediate(() => {
      send(client, sessionId, update).catch((error: unknown) => console.error('Not sent:', error))
    })
  }
}

async function answer(turn: Turn): Promise<PromptResponse> {
  try {
    const call = findWord(promptText(turn.parts.prompt))
    const extras = call ? await runWord(turn, call) : await giveTour(turn)
    return { stopReason: 'end_turn', ...extras }
  } catch (error) {
    if (turn.signal.aborted) return { stopReason: 'cancelled' }
    throw error
  }
}

function optionsOf({ conversation }: Session): {
  modes: SessionModeState
  configOptions: SessionConfigOption[]
} {
  return { modes: modesOf(conversation), configOptions: configOptionsOf(conversation) }
}

function commandsUpdate(): SessionUpdate {
  return { sessionUpdate: 'available_commands_update', availableCommands: availableCommands() }
}

async function send(client: AgentContext, sessionId: string, update: SessionUpdate) {
  await client.notify(methods.client.session.update, { sessionId, update })
}
