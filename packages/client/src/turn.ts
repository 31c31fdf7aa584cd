// One prompt and everything until its stop reason: iterate it, await it, or both.
import { applyEvent, emptyTranscript, finalText } from '@quayside/protocol'
import type {
  EventOf,
  PromptAccepted,
  SessionEvent,
  StopReason,
  Transcript,
} from '@quayside/protocol'
import { HubError } from './hub-error.js'

export type TurnResult = {
  readonly turnId: string
  readonly stopReason: StopReason
  /** What the agent said after its last tool call, or all it said when nothing came after. */
  readonly text: string
}

type TurnSource = {
  readonly accepted: Promise<PromptAccepted>
  readonly follow: (after: number) => AsyncIterable<SessionEvent>
  readonly cancel: () => Promise<void>
}

export class Turn implements AsyncIterable<SessionEvent>, PromiseLike<TurnResult> {
  /** Resolves when the hub has committed the prompt; rejects when it was refused. */
  readonly accepted: Promise<PromptAccepted>
  readonly #source: TurnSource
  readonly #events: SessionEvent[] = []
  readonly #result: Promise<TurnResult>
  #isOver = false
  #sleepers: (() => void)[] = []

  constructor(source: TurnSource) {
    this.#source = source
    this.accepted = source.accepted
    this.#result = this.#run()
    // Whoever iterates or awaits gets the error; a turn that nobody looks at must not end the program.
    this.#result.catch(() => {})
  }

  /** Rejects when the prompt was refused or the turn failed; a cancelled turn is a normal end. */
  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a turn is the point of it
  then<Value = TurnResult, Failure = never>(
    onFulfilled?: ((result: TurnResult) => Value | PromiseLike<Value>) | null,
    onRejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#result.then(onFulfilled, onRejected)
  }

  /** The turn's raw events from its first one, however late the iteration begins. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void, undefined> {
    let read = 0
    for (;;) {
      const events = this.#events.slice(read)
      read += events.length
      yield* events
      if (read < this.#events.length) continue
      if (this.#isOver) break
      await new Promise<void>((resolve) => this.#sleepers.push(resolve))
    }
    await this.#result
  }

  /** Asks the agent to stop; the turn then ends with the stop reason `cancelled`. */
  cancel(): Promise<void> {
    return this.#source.cancel()
  }

  async #run(): Promise<TurnResult> {
    try {
      const { turnId, seq } = await this.accepted
      const transcript = emptyTranscript()
      const isPartOfTurn = turnMembership(turnId)
      for await (const event of this.#source.follow(seq - 1)) {
        applyEvent(transcript, event)
        if (!isPartOfTurn(event)) continue
        this.#events.push(event)
        this.#wake()
        if (event.type === 'turn.ended') return resultOf(event, transcript)
      }
      throw new HubError('closed', 'This client was closed before the turn ended.')
    } finally {
      this.#isOver = true
      this.#wake()
    }
  }

  #wake(): void {
    const sleepers = this.#sleepers
    this.#sleepers = []
    for (const wake of sleepers) wake()
  }
}

/** Answers to questions do not name their turn; they belong to the turn that asked. */
function turnMembership(turnId: string): (event: SessionEvent) => boolean {
  const asked = new Set<string>()
  return (event) => {
    if (event.type === 'permission.resolved') return asked.has(event.data.permissionId)
    if (event.type === 'question.answered') return asked.has(event.data.questionId)
    if (!('turnId' in event.data) || event.data.turnId !== turnId) return false
    if (event.type === 'permission.requested') asked.add(event.data.permissionId)
    if (event.type === 'question.asked') asked.add(event.data.questionId)
    return true
  }
}

function resultOf({ data }: EventOf<'turn.ended'>, { items }: Transcript): TurnResult {
  const { turnId, stopReason = 'end_turn', error } = data
  if (error) throw new HubError(error.code, error.message, { details: error.details })
  return { turnId, stopReason, text: finalText(items, turnId) }
}
