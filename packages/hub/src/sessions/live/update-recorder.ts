// The way of an agent's updates into the log: put right, made light, given to the turn they belong to.
import type { EventData, SessionUpdate } from '@quayside/protocol'
import { type Quirks, UpdateFilter } from '../../agents/extensions/quirks.js'
import type { Log } from '../../log.js'
import type { PutMedia } from '../media/data-uris.js'
import type { EventLog } from '../log/event-log.js'
import { MediaIntake } from '../media/media-intake.js'
import type { TurnQueue } from './turn-queue.js'

export type UpdateRecorderOptions = {
  readonly sessionId: string
  readonly eventLog: Pick<EventLog, 'write'>
  readonly turns: Pick<TurnQueue, 'running' | 'turnOf'>
  readonly quirks: Quirks
  readonly putMedia: PutMedia
  /** An agent whose work cannot be recorded must not go on. */
  readonly onLost: () => void
  readonly log: Log
}

export class UpdateRecorder {
  readonly #options: UpdateRecorderOptions
  readonly #filter: UpdateFilter
  readonly #intake: MediaIntake

  constructor(options: UpdateRecorderOptions) {
    this.#options = options
    this.#filter = new UpdateFilter(options.quirks)
    this.#intake = new MediaIntake(options.putMedia)
  }

  /** A new turn continues no message. */
  startTurn(): void {
    this.flush()
    this.#filter.startTurn()
  }

  /** `chunks` were joined into it. */
  receive(update: SessionUpdate, chunks: number): void {
    const { turns } = this.#options
    const passed = this.#filter.apply(update)
    if (passed === undefined) return
    this.#record(() => this.#intake.take(passed))
    if (chunks > 1)
      turns.turnOf(update.sessionUpdate, undefined)?.summary.joined(update, chunks - 1)
    // Outside of a turn nothing promises more text.
    if (turns.running === undefined) this.flush()
  }

  /** Stores what of the text was held back: a question or the end of the turn must not come before it. */
  flush(): void {
    this.#record(() => this.#intake.flush())
  }

  /** What people should know about what the agent writes, or that it writes nothing. */
  note(notice: EventData['notice']): void {
    const { sessionId, eventLog, turns, onLost, log } = this.#options
    const turnId = turns.running?.turnId
    log.warn({ turnId, code: notice.code }, notice.message)
    const data = { ...notice, ...(turnId === undefined ? {} : { turnId }) }
    eventLog.write(sessionId, { type: 'notice', data }, onLost)
  }

  #record(updates: () => readonly SessionUpdate[]): void {
    const { sessionId, eventLog, turns, onLost, log } = this.#options
    try {
      for (const update of updates()) {
        const turn = turns.turnOf(update.sessionUpdate, update['toolCallId'])
        turn?.record(update)
        const data = turn ? { turnId: turn.turnId, update } : { update }
        eventLog.write(sessionId, { type: 'acp.update', data }, onLost)
      }
    } catch (error) {
      log.error({ err: error }, 'an update could not be stored')
      onLost()
    }
  }
}
