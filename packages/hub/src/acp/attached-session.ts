// One session that one ACP client follows: a cursor on its log. Events that the client has not received stay in the log.
import { setImmediate } from 'node:timers/promises'
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk'
import type { ConfigOption, SessionEvent, SessionUpdate } from '@quayside/protocol'
import { isObject } from '../json.js'
import type { Log } from '../log.js'
import type { EventLog } from '../sessions/log/event-log.js'
import { decodeEvent } from '../sessions/log/encoded-events.js'
import type { MaybePromise } from '../store/maybe-promise.js'
import type { OutputPiece } from '../terminals/output-tail.js'
import { yieldLoop } from '../yield-loop.js'
import type { AcpSession } from './acp-session.js'
import { ForwardedQuestions } from './forwarded-questions.js'
import { LiveTerminals } from './live-terminals.js'
import type { OwnPrompts } from './own-prompts.js'
import { SessionView } from './session-view.js'
import { type FindMedia, withMedia } from './stored-media.js'

export type AttachedSessionOptions = {
  readonly sessionId: string
  readonly findSession: () => MaybePromise<AcpSession | undefined>
  /** The output of a running command, at this hub or another one. */
  readonly watchTerminal: (terminalId: string, signal: AbortSignal) => AsyncIterable<OutputPiece>
  readonly client: AgentContext
  /** Aborts when the client's connection has closed. */
  readonly gone: AbortSignal
  readonly capabilities: ClientCapabilities
  readonly prompts: OwnPrompts
  /** The session was removed, and the client was notified. */
  readonly onRemoved: () => void
  /** Sending to the client failed: it has to connect again. */
  readonly onLost: (error: unknown) => void
  readonly eventLog: EventLog
  readonly media: FindMedia
  readonly by: string
  readonly log: Log
}

/** Sent in one event-loop tick: the SDK encodes each of them by itself. */
const REPLAY_EVENTS = 50

const REMOVED: SessionUpdate = {
  sessionUpdate: 'notice',
  severity: 'warning',
  title: 'This session was removed.',
  _meta: { quayside: { code: 'session_not_found' } },
}

export class AttachedSession {
  readonly #options: AttachedSessionOptions
  readonly #view = new SessionView()
  readonly #questions: ForwardedQuestions
  readonly #terminals: LiveTerminals
  readonly #detached = new AbortController()
  #seq = 0
  #sent = Promise.resolve()
  /** The current commands, for a client that gets no replay. */
  #initial: readonly SessionUpdate[] = []

  constructor(options: AttachedSessionOptions) {
    this.#options = options
    this.#questions = new ForwardedQuestions({ ...options, view: this.#view })
    this.#terminals = new LiveTerminals({
      watch: options.watchTerminal,
      send: (terminalId, output) => this.#send(() => this.#view.printed(terminalId, output)),
      onLost: (error) => this.#lose(error),
    })
  }

  /** Modes and options for the response that opens the session. */
  get setup() {
    const { modes, configOptions, models } = this.#view.setup
    return {
      ...(modes && { modes }),
      ...(configOptions && { configOptions: configOptions.filter((one) => this.#canShow(one)) }),
      ...(models && { models }),
    }
  }

  /** All options, for the response to a client that has set one. */
  optionsAfter(configId: string, value: string | boolean): ConfigOption[] {
    return this.#view.configOptions
      .map((option) => (option.id === configId ? { ...option, currentValue: value } : option))
      .filter((option) => this.#canShow(option))
  }

  /** Reads the log up to its current end, and sends it if the client asked for a replay. */
  async catchUp({ replays }: { replays: boolean }): Promise<void> {
    const { eventLog, sessionId, prompts } = this.#options
    const end = await eventLog.lastSeq(sessionId)
    while (this.#seq < end && !this.#detached.signal.aborted) {
      for (const encoded of await eventLog.read(sessionId, this.#seq, REPLAY_EVENTS)) {
        const event = decodeEvent(encoded)
        if (event.seq > end) break
        const updates = this.#take(event)
        if (replays) await this.#send(() => updates)
        prompts.take(event)
      }
      await yieldLoop()
    }
    const { commands } = this.#view
    this.#initial = replays || commands === undefined ? [] : [commands]
  }

  /** Sends all later events, after the response that opens the session. */
  goLive(): void {
    this.#live().catch((error: unknown) => this.#lose(error))
  }

  #lose(error: unknown): void {
    const { gone, log, onLost } = this.#options
    // A client that disconnected is not an error.
    if (gone.aborted) return
    log.error({ err: error }, 'sending a session to an ACP client failed')
    onLost(error)
  }

  /** Stops sending to this client. The session continues. */
  detach(): void {
    this.#detached.abort()
    this.#questions.close()
    this.#terminals.stopAll()
  }

  async #live(): Promise<void> {
    const { eventLog, sessionId } = this.#options
    const { signal } = this.#detached
    // The SDK writes its response before the next event-loop tick.
    await setImmediate()
    if (signal.aborted) return
    await this.#send(() => this.#initial)
    this.#questions.askAll()
    for (const terminalId of this.#view.runningTerminals) this.#terminals.start(terminalId)
    for await (const page of eventLog.follow(sessionId, this.#seq, signal))
      for (const encoded of page) {
        if (signal.aborted) return
        await this.#forward(decodeEvent(encoded))
      }
    if (signal.aborted) return
    await this.#send(() => [REMOVED])
    this.#options.onRemoved()
  }

  async #forward(event: SessionEvent): Promise<void> {
    const isOwn = event.type === 'turn.started' && this.#options.prompts.has(event.data.turnId)
    const updates = this.#take(event)
    // The client that sent a prompt shows it already.
    if (!isOwn) await this.#send(() => updates)
    this.#questions.take(event)
    if (event.type === 'terminal.opened') this.#terminals.start(event.data.terminalId)
    if (event.type === 'terminal.exited') this.#terminals.stop(event.data.terminalId)
    // Commands that outlive the turn are no longer sent.
    if (event.type === 'turn.ended') this.#terminals.stopAll()
    // Last, so that the response to a prompt follows everything of its turn.
    this.#options.prompts.take(event)
  }

  #take(event: SessionEvent): readonly SessionUpdate[] {
    this.#seq = event.seq
    return this.#view.take(event)
  }

  /** Sends updates in order. `make` is called when they are next, so that a command's output never follows its end. */
  #send(make: () => readonly SessionUpdate[]): Promise<void> {
    const sent = this.#sent.then(() => this.#sendAll(make()))
    this.#sent = sent.catch(() => undefined)
    return sent
  }

  /** Sends one update at a time: a slow client is behind in the log and costs no memory. */
  async #sendAll(updates: readonly SessionUpdate[]): Promise<void> {
    const { client, sessionId, media, capabilities } = this.#options
    for (const update of updates) {
      if (this.#detached.signal.aborted) return
      if (update.sessionUpdate === 'notice' && !capabilities.session?.notices) continue
      const shown = await withMedia(this.#withoutHidden(update), media)
      // `as string` because unknown updates are passed on too, which the SDK's types exclude.
      await client.notify('session/update' as string, { sessionId, update: shown })
    }
  }

  #withoutHidden(update: SessionUpdate): SessionUpdate {
    const options = update.sessionUpdate === 'config_option_update' && update['configOptions']
    if (!Array.isArray(options)) return update
    const shown = options.filter((option) => isObject(option) && this.#canShow(option))
    return { ...update, configOptions: shown }
  }

  /** Boolean options are only for clients that can show them. */
  #canShow({ type }: { readonly type?: unknown }): boolean {
    return type !== 'boolean' || Boolean(this.#options.capabilities.session?.configOptions?.boolean)
  }
}
