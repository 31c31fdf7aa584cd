// One prompt and everything until its stop reason. A turn can be iterated, awaited, listened to and cancelled.
import { finalText } from '@quayside/protocol'
import type { PromptAccepted, SessionEvent, StopReason, ToolCall } from '@quayside/protocol'
import type { ChatEvent, ChatEventOf, ChatEventType } from './chat-events.js'
import { EventReader } from './event-reader.js'
import { abortedBy, closedByCaller, ClientError, orAborted } from '../connection/client-error.js'
import type { Listener } from '../connection/connection.js'
import { ListenerSet } from './listener-set.js'
import { withoutUndefined } from '../connection/without-undefined.js'

export type TurnResult = {
  readonly turnId: string
  readonly stopReason: StopReason
  /** The agent's text after its last tool call, or all of its text when there is none. */
  readonly text: string
  /** The final state of every tool call. */
  readonly toolCalls: readonly ToolCall[]
  /** The usage that the agent reported. */
  readonly usage?: unknown
  readonly durationMs?: number
}

type TurnSource = {
  readonly id: string
  readonly accepted: Promise<PromptAccepted>
  readonly follow: (after: number, signal?: AbortSignal) => AsyncIterable<SessionEvent>
  /** Stops it if it is running, removes it from the queue if it is waiting. */
  readonly cancel: () => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export class Turn implements AsyncIterable<ChatEvent>, PromiseLike<TurnResult> {
  readonly id: string
  /** Resolves when the hub has committed the prompt; rejects when the hub rejected it. */
  readonly accepted: Promise<PromptAccepted>
  readonly #source: TurnSource
  #result: Promise<TurnResult> | undefined
  #listeners: ListenerSet | undefined
  #isOver = false

  constructor(source: TurnSource) {
    this.#source = source
    this.id = source.id
    this.accepted = source.accepted
    // Readers of the turn get the error; an unread turn must not cause an unhandled rejection.
    this.accepted.catch(() => {})
    if (source.signal) this.#cancelAt(source.signal)
  }

  /** Rejects when the prompt was rejected or the turn failed; a cancelled turn is a normal end. */
  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a turn is the point of it
  then<Value = TurnResult, Failure = never>(
    onFulfilled?: ((result: TurnResult) => Value | PromiseLike<Value>) | null,
    onRejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#collect().then(onFulfilled, onRejected)
  }

  /** All events of the turn, also when the iteration begins late: they are read from the log. */
  [Symbol.asyncIterator](): AsyncGenerator<ChatEvent, void, undefined> {
    return this.#read(new EventReader())
  }

  /** Only the agent's text, piece by piece. */
  async *textStream(): AsyncGenerator<string, void, undefined> {
    for await (const event of this) if (event.type === 'text_delta') yield event.delta
  }

  /** Calls `listener` for each event of the turn from now on, until the returned function is called. */
  on<Type extends ChatEventType>(type: Type, listener: Listener<ChatEventOf<Type>>): () => void
  on(type: '*', listener: Listener<ChatEvent>): () => void
  on(type: ChatEventType | '*', listener: Listener<never>): () => void {
    this.#listeners ??= new ListenerSet()
    this.#collect().catch(() => {})
    return this.#listeners.add(type, listener)
  }

  /** Stops the turn and resolves when it has ended; removes a waiting turn from the queue. */
  async cancel(): Promise<void> {
    const isAccepted = await this.accepted.then(
      () => true,
      () => false,
    )
    if (isAccepted && !this.#isOver) await this.#source.cancel()
  }

  #collect(): Promise<TurnResult> {
    this.#result ??= this.#run()
    return this.#result
  }

  async #run(): Promise<TurnResult> {
    const reader = new EventReader()
    let end: ChatEventOf<'turn_end'> | undefined
    for await (const event of this.#read(reader)) {
      this.#listeners?.send(event)
      if (event.type === 'turn_end') end = event
    }
    const { items } = reader.transcript
    const toolCalls = items.flatMap((item) =>
      item.type === 'tool' && item.turnId === this.id ? [item.call] : [],
    )
    const stopReason = end?.stopReason ?? (isTakenBack(end) ? 'cancelled' : 'end_turn')
    return {
      turnId: this.id,
      stopReason,
      text: finalText(items, this.id),
      toolCalls,
      ...withoutUndefined({ usage: end?.usage, durationMs: end?.durationMs }),
    }
  }

  async *#read(reader: EventReader): AsyncGenerator<ChatEvent, void, undefined> {
    const { signal } = this.#source
    const { seq } = await orAborted(this.accepted, signal)
    for await (const event of this.#source.follow(seq - 1, signal)) {
      for (const chatEvent of reader.read(event)) {
        if (chatEvent.turnId !== this.id || isOfSession(chatEvent)) continue
        if (chatEvent.type === 'turn_end') this.#isOver = true
        yield chatEvent
        if (chatEvent.type !== 'turn_end') continue
        if (chatEvent.error && !isTakenBack(chatEvent)) throw failureOf(chatEvent.error)
        return
      }
    }
    if (signal?.aborted) throw abortedBy(signal)
    throw closedByCaller()
  }

  #cancelAt(signal: AbortSignal): void {
    const onAbort = () => {
      // The caller no longer waits; if the hub cannot be reached now, the turn continues there.
      this.cancel().catch(() => {})
    }
    signal.addEventListener('abort', onAbort, { once: true })
    // Reads to the end, so that a later abort does not stop another turn.
    const forget = () => signal.removeEventListener('abort', onAbort)
    this.#collect().then(forget, forget)
  }
}

/** State events of the session, which are not the turn's own. */
function isOfSession({ type }: ChatEvent): boolean {
  return type === 'queue' || type === 'status'
}

/** A turn that was removed from the queue is cancelled, not failed. */
function isTakenBack(end: ChatEventOf<'turn_end'> | undefined): boolean {
  return end?.error?.code === 'removed'
}

function failureOf({ code, message, details }: NonNullable<ChatEventOf<'turn_end'>['error']>) {
  return new ClientError(code, message, { details })
}
