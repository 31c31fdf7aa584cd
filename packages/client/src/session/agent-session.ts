// One session as a client holds it: prompts, decisions, its life, and its events from any point on.
import { loadState } from '@quayside/protocol'
import type {
  CallInput,
  CallOutput,
  ContentBlock,
  EventData,
  FoundPlaces,
  PendingPermission,
  PendingQuestion,
  PermissionOption,
  PromptAccepted,
  Repo,
  CommandAddress,
  NameAt,
  SessionEvent,
  SessionSummary,
  Timeline,
} from '@quayside/protocol'
import type { ChatEvent, ChatEventOf, ChatEventType } from './chat-events.js'
import { EventReader } from './event-reader.js'
import type { Feed } from '../connection/feed.js'
import { type Abortable, type Http, requestOf } from '../connection/http.js'
import { abortedBy, ClientError, isClientError, orAborted } from '../connection/client-error.js'
import type { Listener } from '../connection/connection.js'
import { ListenerSet } from './listener-set.js'
import { answerBy, type PermissionPolicy } from './permission-policy.js'
import { blocksOf, type Place, type PromptInput } from './prompt-input.js'
import { type QueueCommand, SessionQueue } from './session-queue.js'
import { Turn } from './turn.js'
import { newTurnId } from './turn-id.js'

export type PromptOptions = {
  /** Made by the caller; a prompt that is sent twice with the same id is one turn. */
  readonly id?: string
  /** `now` stops what runs and goes first; otherwise it waits for what runs. */
  readonly when?: 'now' | 'queue'
  /**
   * Cancels the turn; whoever iterates or awaits it gets `aborted`. With it a prompt waits for a lost connection for as long as
   * that takes, otherwise for a few minutes.
   */
  readonly signal?: AbortSignal
}

export type EventsOptions = {
  /** The `seq` of the last event already seen; 0 is the beginning. When left out: where the session was opened. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/** One of the options by its id or by its kind, or none of them. */
export type PermissionAnswer =
  | string
  | { readonly optionId: string }
  | { readonly kind: PermissionOption['kind'] }
  | { readonly outcome: 'cancelled' }

/** `content` has the fields that the question's `requestedSchema` asks for. */
export type QuestionAnswer = Omit<CallInput<'question/answer'>, 'sessionId' | 'questionId'>

export type SessionChange = Omit<CallInput<'session/change'>, 'sessionId'>

/** The commands on one session. */
export type SessionCommand = Extract<CommandAddress, `${string}{sessionId}${string}`>

/** The session itself is known. */
export type SessionInput<At extends SessionCommand> = Omit<CallInput<NameAt<At>>, 'sessionId'>

type SessionDeps = {
  readonly repo: Repo
  readonly http: Http
  readonly feed: Feed
  readonly after: number
  readonly onPermission?: PermissionPolicy | undefined
}

const MAX_RESENDS = 3

export class AgentSession {
  readonly id: string
  /** The session as it was when it was opened; what happens later is in its events. */
  readonly info: SessionSummary
  readonly queue: SessionQueue
  readonly #http: Http
  readonly #feed: Feed
  readonly #place: Place
  readonly #listeners = new ListenerSet()
  /** The event after which listening continues. */
  #cursor: number
  #listening: AbortController | undefined
  /** Settles when the newest prompt was accepted, refused or given up. */
  #prompts: Promise<unknown> = Promise.resolve()

  constructor(info: SessionSummary, { repo, http, feed, after, onPermission }: SessionDeps) {
    this.id = info.id
    this.info = info
    // Sessions of older hubs have no workspace of their own.
    this.#place = info.workspace ?? repo
    this.#http = http
    this.#feed = feed
    this.#cursor = after
    this.queue = new SessionQueue(
      async (address, input) => (await this.#call<QueueCommand>(address, input)).queue,
      this.#place,
    )
    if (onPermission)
      answerBy(onPermission, this, {
        connection: feed.connection,
        onFailure: (error) => this.#reportFailure(error),
      })
  }

  /** Sends a prompt; it waits for its turn when another one runs. A session that has ended is resumed. */
  prompt(input: PromptInput, { id = newTurnId(), when, signal }: PromptOptions = {}): Turn {
    const sent = { id, prompt: blocksOf(input, this.#place) }
    // Requests in parallel, and resends after pauses of their own, would reach the hub in any order.
    const accepted = this.#prompts.then(() => this.#sendPrompt(sent, signal))
    this.#prompts = orAborted(accepted, signal).catch(() => {})
    return new Turn({
      id,
      accepted: when === 'now' ? this.#goFirst(accepted) : accepted,
      follow: (after, signal) => this.#feed.follow(this.id, { after, signal }),
      cancel: () => this.#cancelTurn(id),
      signal,
    })
  }

  /** Stops the running turn and resolves when it has ended; the session stays open. */
  cancel(turnId?: string): Promise<SessionSummary> {
    return this.#call('POST /api/sessions/{sessionId}/cancel', { turnId })
  }

  /** Stops the running turn and holds back the queue, until `queue.sendNow` continues it. */
  stop(): Promise<SessionSummary> {
    return this.#call('POST /api/sessions/{sessionId}/cancel', { pausesQueue: true })
  }

  /** The permissions that wait for an answer. */
  async permissions(): Promise<readonly PendingPermission[]> {
    return (await this.#call('GET /api/sessions/{sessionId}/permissions', {})).permissions
  }

  /** Answers an open permission. Throws `permission_not_pending` when someone else was faster. */
  async respond(
    permissionId: string,
    answer: PermissionAnswer,
  ): Promise<EventData['permission.resolved']> {
    const chosen = await this.#toOption(permissionId, answer)
    return this.#call('POST /api/sessions/{sessionId}/permissions/{permissionId}', {
      permissionId,
      ...chosen,
    })
  }

  /** The questions that wait for an answer. */
  async questions(): Promise<readonly PendingQuestion[]> {
    return (await this.#call('GET /api/sessions/{sessionId}/questions', {})).questions
  }

  /** Answers an open question. Throws `wrong_answer` when the content does not fit; it is then still open. */
  answer(questionId: string, answer: QuestionAnswer): Promise<EventData['question.answered']> {
    return this.#call('POST /api/sessions/{sessionId}/questions/{questionId}', {
      questionId,
      ...answer,
    })
  }

  /** Sets a mode, a model or another option of the agent. */
  setConfig(optionId: string, value: string | boolean): Promise<EventData['option.set']> {
    return this.#call('PUT /api/sessions/{sessionId}/options/{optionId}', { optionId, value })
  }

  /** Renames, pins, archives or sets up the session. */
  change(change: SessionChange): Promise<SessionSummary> {
    return this.#call('PATCH /api/sessions/{sessionId}', change)
  }

  /** Ends the session as completed; its transcript stays. */
  complete(): Promise<SessionSummary> {
    return this.#call('POST /api/sessions/{sessionId}/complete', {})
  }

  /** Ends the session as cancelled; its transcript stays, unless `purge` removes it for good. */
  delete(options: { readonly purge?: boolean } = {}): Promise<SessionSummary> {
    return this.#call('DELETE /api/sessions/{sessionId}', options)
  }

  /** Makes an ended session active again, with the same id and log. `makeRoom` may put the longest idle one to sleep. */
  resume(options: { readonly makeRoom?: boolean } = {}): Promise<SessionSummary> {
    return this.#call('POST /api/sessions/{sessionId}/resume', options)
  }

  /** The last part of the session, folded: how long ones are opened. Then follow the events after its `seq`. */
  timeline({
    limit = 60,
    before,
    signal,
  }: Abortable & { limit?: number; before?: number | undefined } = {}): Promise<Timeline> {
    return this.#call('GET /api/sessions/{sessionId}/timeline', { limit, before }, { signal })
  }

  /** Finds a text in the whole conversation, newest first. Continue with `nextCursor`, also after a page without places. */
  find(
    q: string,
    { signal, ...page }: Abortable & { limit?: number; cursor?: string | undefined } = {},
  ): Promise<FoundPlaces> {
    return this.#call('GET /api/sessions/{sessionId}/find', { q, ...page }, { signal })
  }

  /** The whole transcript, to be kept or read elsewhere. */
  export(format: 'md' | 'html' | 'jsonl'): Promise<string> {
    const input = { sessionId: this.id, format }
    return this.#http.text(requestOf('GET /api/sessions/{sessionId}/transcript', input).path)
  }

  /**
   * The events after the cursor, past and future; lost connections leave neither gap nor repeat. When the log is shorter than
   * the cursor, as after a restored backup, an `error` event reports `cursor_ahead`, and later events follow.
   */
  async *events({ after = this.#cursor, signal }: EventsOptions = {}): AsyncGenerator<
    ChatEvent,
    void,
    undefined
  > {
    for (let cursor = after; ;) {
      const reader = await this.#readerAt(cursor, signal)
      if (reader === undefined) return
      try {
        for await (const event of this.#feed.follow(this.id, { after: cursor, signal }))
          yield* reader.read(event)
        return
      } catch (error) {
        if (!isClientError(error, 'cursor_ahead')) throw error
        cursor = Number(error.details['lastSeq'])
        yield this.#failureEvent(error, cursor)
      }
    }
  }

  /** The same as the log itself has it: one event for each `seq`. Throws `cursor_ahead` when the log is shorter than the cursor. */
  log({ after = this.#cursor, signal }: EventsOptions = {}): AsyncGenerator<SessionEvent> {
    return this.#feed.follow(this.id, { after, signal })
  }

  /** Calls back for each event after the session was opened, until the returned function is called. */
  on<Type extends ChatEventType>(type: Type, listener: Listener<ChatEventOf<Type>>): () => void
  on(type: '*', listener: Listener<ChatEvent>): () => void
  on(type: ChatEventType | '*', listener: Listener<never>): () => void {
    const remove = this.#listeners.add(type, listener)
    if (this.#listening === undefined) void this.#listen()
    return () => {
      remove()
      if (this.#listeners.isEmpty) this.detach()
    }
  }

  /** Stops calling back; the agent goes on. A listener added later gets the missed events. */
  detach(): void {
    this.#listening?.abort()
    this.#listening = undefined
  }

  async #listen(): Promise<void> {
    const listening = new AbortController()
    this.#listening = listening
    try {
      for await (const event of this.events({ signal: listening.signal })) {
        this.#cursor = event.seq
        this.#listeners.send(event)
      }
    } catch (error) {
      this.#reportFailure(error)
    } finally {
      if (this.#listening === listening) this.#listening = undefined
    }
  }

  #reportFailure(error: unknown): void {
    if (!(error instanceof ClientError)) throw error
    this.#listeners.send(this.#failureEvent(error, this.#cursor))
  }

  #failureEvent({ code, message, details }: ClientError, seq: number): ChatEvent {
    const error = { code, message, details }
    return { type: 'error', error, sessionId: this.id, seq, at: Date.now() }
  }

  /** Runs a command on this session. */
  #call<At extends SessionCommand>(
    address: At,
    input: SessionInput<At>,
    abortable?: Abortable,
  ): Promise<CallOutput<NameAt<At>>> {
    const whole = { ...input, sessionId: this.id } as unknown as CallInput<NameAt<At>>
    return this.#http.call(address, whole, abortable)
  }

  /** A reader that has folded the events up to `after`, so that later ones are complete. */
  async #readerAt(after: number, signal?: AbortSignal): Promise<EventReader | undefined> {
    if (after === 0) return new EventReader()
    for (let attempt = 0; ; attempt++) {
      try {
        const { items, state } = await this.timeline({ limit: 1, before: after + 1, signal })
        return new EventReader(loadState(state, items))
      } catch (error) {
        if (isClientError(error, 'aborted')) return undefined
        if (!isClientError(error, 'unreachable')) throw error
        await this.#feed.connection.waitToRetry(attempt)
        if (this.#feed.connection.now.state === 'closed') throw error
      }
    }
  }

  /** Safe to repeat because of its id, so a lost connection does not lose it. */
  async #sendPrompt(
    input: { readonly id: string; readonly prompt: readonly ContentBlock[] },
    signal?: AbortSignal,
  ): Promise<PromptAccepted> {
    this.#feed.connection.requireWebSocket()
    let hasResumed = false
    for (let attempt = 0; ; attempt++) {
      // The request itself is not aborted: otherwise it would be unknown whether there is a turn to cancel.
      if (signal?.aborted) throw abortedBy(signal)
      try {
        return await this.#call('POST /api/sessions/{sessionId}/prompt', input)
      } catch (error) {
        const mayWait = attempt < MAX_RESENDS || (signal && !this.#feed.connection.socket)
        if (isClientError(error, 'session_not_active') && !hasResumed) {
          hasResumed = true
          await this.resume()
        } else if (isClientError(error, 'unreachable') && mayWait)
          await this.#feed.connection.waitToRetry(attempt)
        else throw error
      }
    }
  }

  async #goFirst(sent: Promise<PromptAccepted>): Promise<PromptAccepted> {
    const accepted = await sent
    if (!accepted.queued) return accepted
    await this.queue.sendNow(accepted.turnId).catch((error: unknown) => {
      // Its turn has come meanwhile.
      if (!isClientError(error, 'turn_not_waiting')) throw error
    })
    return { ...accepted, queued: false }
  }

  async #cancelTurn(turnId: string): Promise<void> {
    try {
      await this.queue.remove(turnId)
    } catch (error) {
      if (isClientError(error, 'session_not_active')) return
      if (!isClientError(error, 'turn_not_waiting', 'turn_not_found')) throw error
      await this.cancel(turnId)
    }
  }

  async #toOption(
    permissionId: string,
    answer: PermissionAnswer,
  ): Promise<{ readonly optionId: string } | { readonly outcome: 'cancelled' }> {
    if (typeof answer === 'string') return { optionId: answer }
    if (!('kind' in answer)) return answer
    const { kind } = answer
    const asked = (await this.permissions()).find((open) => open.permissionId === permissionId)
    const option = asked?.options.find((offered) => offered.kind === kind)
    if (option) return { optionId: option.optionId }
    if (asked === undefined)
      throw new ClientError('permission_not_pending', 'This permission was answered.')
    throw new ClientError('unknown_option', `The permission has no option of the kind ${kind}.`, {
      details: { kinds: asked.options.map((offered) => offered.kind) },
    })
  }
}
