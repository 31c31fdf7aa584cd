// The prompts that one ACP client has sent and waits for. Each is answered when the client's cursor has passed the end of its turn.
import { type PromptResponse, type RequestError, type StopReason } from '@agentclientprotocol/sdk'
import type { ContentBlock, EventData, SessionEvent } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { whyAborted } from '../agents/agent-requests.js'
import { type Log, logRejection } from '../log.js'
import type { Session } from '../sessions/session.js'
import { failureToError } from './request-error.js'

type Waiting = {
  readonly session: Session
  /** Rejects when the prompt was refused. Its seq: what happened before it in the session is not about it. */
  readonly accepted: Promise<{ readonly seq: number }>
  seq: number
  resolve(response: PromptResponse): void
  reject(error: RequestError): void
}

const STOP_REASONS: ReadonlySet<string> = new Set([
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
] satisfies StopReason[])

export class OwnPrompts {
  readonly #waiting = new Map<string, Waiting>()
  readonly #by: string
  readonly #log: Log

  constructor(by: string, log: Log) {
    this.#by = by
    this.#log = log
  }

  has(turnId: string): boolean {
    return this.#waiting.has(turnId)
  }

  /** Resolves when everything of its turn was sent. Aborting (`$/cancel_request`) stops the turn; a client that goes stops nothing. */
  async send(
    session: Session,
    prompt: readonly ContentBlock[],
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const turnId = uuidv7()
    const onAbort = (): void => {
      if (whyAborted(signal) === 'withdrawn') this.#stop(turnId)
    }
    try {
      const ended = new Promise<PromptResponse>((resolve, reject) => {
        const accepted = session.prompt(prompt, this.#by, turnId)
        this.#waiting.set(turnId, { session, accepted, seq: Infinity, resolve, reject })
      })
      // It may be refused before anybody waits for its end.
      ended.catch(() => undefined)
      const waiting = this.#waiting.get(turnId)
      if (waiting) waiting.seq = (await waiting.accepted).seq
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      return await ended
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#waiting.delete(turnId)
    }
  }

  /** Sees every event that the client's cursor passes. */
  take(event: SessionEvent): void {
    if (event.type === 'turn.ended') this.#end(event.data)
    if (event.type === 'session.ended') this.#endAll(event.sessionId, event.seq)
  }

  /** Stops those of this session. False when there is none. */
  cancel(sessionId: string): boolean {
    const turnIds = this.#of(sessionId)
    for (const turnId of turnIds) this.#stop(turnId)
    return turnIds.length > 0
  }

  /** The client no longer wants to know: for it they are cancelled, although they go on. */
  forget(sessionId: string): void {
    for (const turnId of this.#of(sessionId))
      this.#waiting.get(turnId)?.resolve({ stopReason: 'cancelled' })
  }

  #of(sessionId: string): string[] {
    return [...this.#waiting].flatMap(([turnId, { session }]) =>
      session.id === sessionId ? [turnId] : [],
    )
  }

  #stop(turnId: string): void {
    const waiting = this.#waiting.get(turnId)
    if (waiting === undefined) return
    const { session, accepted } = waiting
    // One that was refused has been answered so.
    const stopped = accepted.then(
      () => session.cancelTurn(turnId, this.#by),
      () => undefined,
    )
    logRejection(this.#log, 'stopping a prompt', stopped)
  }

  #end({ turnId, stopReason, error, usage }: EventData['turn.ended']): void {
    const waiting = this.#waiting.get(turnId)
    if (waiting === undefined) return
    if (error !== undefined && error.code !== 'removed') {
      waiting.reject(failureToError(error))
      return
    }
    const known = STOP_REASONS.has(stopReason ?? '') ? (stopReason as StopReason) : 'end_turn'
    waiting.resolve({
      stopReason: error === undefined ? known : 'cancelled',
      ...(usage === undefined ? {} : { usage }),
    })
  }

  /** What was not sent when its session failed stays in the queue, but nobody can say for how long. */
  #endAll(sessionId: string, seq: number): void {
    for (const waiting of this.#waiting.values())
      if (waiting.session.id === sessionId && waiting.seq < seq)
        waiting.reject(
          failureToError({
            code: 'session_not_active',
            message:
              'The session ended before this prompt was sent. It is sent when the session is resumed.',
          }),
        )
  }
}
