// The open prompts of one ACP client. Each is answered when the client's cursor has passed the end of its turn.
import { type PromptResponse, type RequestError, type StopReason } from '@agentclientprotocol/sdk'
import type { ContentBlock, EventData, Failure, SessionEvent } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { whyAborted } from '../agents/connection/agent-requests.js'
import { type Log, logRejection } from '../log.js'
import type { AcpSession } from './acp-session.js'
import { failureToError } from './request-error.js'

type PromptInput = {
  readonly sessionId: string
  readonly prompt: readonly ContentBlock[]
  readonly signal: AbortSignal
}

type Waiting = {
  readonly sessionId: string
  /** Rejects when the prompt was refused. */
  readonly accepted: Promise<{ readonly session: AcpSession; readonly seq: number }>
  /** Of its `turn.queued`; earlier events do not concern this prompt. */
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

const NOT_ACTIVE: Failure = {
  code: 'session_not_active',
  message: 'The session ended before this prompt was sent. It is sent when the session is resumed.',
}
const REMOVED: Failure = { code: 'session_not_found', message: 'This session was removed.' }

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

  /**
   * Resolves when everything of its turn was sent. Registered synchronously, so that a cancel that follows at once finds it.
   * Aborting (`$/cancel_request`) stops the turn; a client that disconnects stops no turn.
   */
  async send(
    { sessionId, prompt, signal }: PromptInput,
    open: () => Promise<AcpSession>,
  ): Promise<PromptResponse> {
    const turnId = uuidv7()
    const onAbort = (): void => {
      if (whyAborted(signal) === 'withdrawn') this.#stop(turnId)
    }
    const accepted = open().then(async (session) => {
      // ACP clients see the hub's capabilities, not the agent's, and so embed the files that people mention.
      const quoted = session.quoteFiles(prompt)
      const { seq } = await session.prompt(quoted, this.#by, turnId)
      return { session, seq }
    })
    const ended = new Promise<PromptResponse>((resolve, reject) => {
      this.#waiting.set(turnId, { sessionId, accepted, seq: Infinity, resolve, reject })
    })
    signal.addEventListener('abort', onAbort)
    try {
      const { seq } = await accepted
      const waiting = this.#waiting.get(turnId)
      if (waiting) waiting.seq = seq
      return await ended
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#waiting.delete(turnId)
    }
  }

  /** Called with every event that the client's cursor passes. */
  take(event: SessionEvent): void {
    if (event.type === 'turn.ended') this.#end(event.data)
    if (event.type === 'session.ended') this.#endAll(event.sessionId, event.seq, NOT_ACTIVE)
  }

  /** The session was removed, possibly before the client has received its end. */
  endRemoved(sessionId: string): void {
    this.#endAll(sessionId, Infinity, REMOVED)
  }

  /** Stops the open prompts of a session. False when there are none. */
  cancel(sessionId: string): boolean {
    const turnIds = this.#of(sessionId)
    for (const turnId of turnIds) this.#stop(turnId)
    return turnIds.length > 0
  }

  /** The client closed the session: its prompts are answered as cancelled, although their turns continue. */
  forget(sessionId: string): void {
    for (const turnId of this.#of(sessionId))
      this.#waiting.get(turnId)?.resolve({ stopReason: 'cancelled' })
  }

  #of(sessionId: string): string[] {
    return [...this.#waiting].flatMap(([turnId, waiting]) =>
      waiting.sessionId === sessionId ? [turnId] : [],
    )
  }

  #stop(turnId: string): void {
    // A rejected prompt has been answered by its error.
    const accepted = this.#waiting.get(turnId)?.accepted.catch(() => undefined)
    const stopped = Promise.resolve(accepted).then((prompt) =>
      prompt?.session.cancelTurn(turnId, this.#by),
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

  /** Prompts that were queued when their session failed stay queued, possibly for long, so the client gets an error. */
  #endAll(sessionId: string, seq: number, failure: Failure): void {
    for (const waiting of this.#waiting.values())
      if (waiting.sessionId === sessionId && waiting.seq < seq)
        waiting.reject(failureToError(failure))
  }
}
