// Records an agent's updates: normalises an update, offloads its media, assigns its turn and writes the event.
import {
  type EventData,
  readToolCall,
  type SessionUpdate,
  type KnownToolCall,
} from '@quayside/protocol'
import { type Quirks, UpdateFilter } from '../../agents/extensions/quirks.js'
import { isObject } from '../../json.js'
import type { Log } from '../../log.js'
import type { KnownCall } from '../decisions/call-facts.js'
import type { EventLog } from '../log/event-log.js'
import type { PutMedia } from '../media/data-uri-offloader.js'
import { UpdateOffloader } from '../media/update-offloader.js'
import { silenceNotice, SilenceWatch } from './silence-watch.js'
import { TurnCalls } from './turn-calls.js'
import type { TurnSummary } from './turn-summary.js'

export type UpdateRecorderDeps = {
  readonly id: string
  readonly hubId?: string | undefined
  readonly eventLog: Pick<EventLog, 'write'>
  readonly quirks: Quirks
  readonly putMedia: PutMedia
  /** A turn that shows people nothing new for this long gets a notice. */
  readonly silenceMs: number
  /** The agent waits for a person or for a command. */
  readonly isWaiting: () => boolean
  /** Called for every update and at the end of a turn. */
  readonly onActivity: () => void
  /** An agent whose work cannot be stored must not go on. */
  readonly onNotStored: () => void
  readonly log: Log
}

type OpenTurn = {
  readonly turnId: string
  readonly summary: TurnSummary
  readonly calls: TurnCalls
}

export class UpdateRecorder {
  readonly #deps: UpdateRecorderDeps
  readonly #filter: UpdateFilter
  readonly #offloader: UpdateOffloader
  readonly #silence: SilenceWatch
  /** Of updates that belong to no turn. */
  readonly #otherCalls = new TurnCalls()
  #turn: OpenTurn | undefined
  #previousTurn: OpenTurn | undefined

  constructor(deps: UpdateRecorderDeps) {
    this.#deps = deps
    this.#filter = new UpdateFilter(deps.quirks)
    this.#offloader = new UpdateOffloader(deps.putMedia)
    this.#silence = new SilenceWatch({
      limitMs: deps.silenceMs,
      isExcused: deps.isWaiting,
      onSilence: (silentMs) => this.note(silenceNotice(silentMs)),
    })
  }

  /** The prompt is about to be sent: earlier updates belong to the turn before. A new turn continues no message. */
  startTurn(turnId: string, summary: TurnSummary): void {
    this.flush()
    this.#turn = { turnId, summary, calls: new TurnCalls() }
    this.#filter.startTurn()
    this.#silence.start()
  }

  /** Also for a turn whose prompt was not sent. */
  closeTurn(): void {
    this.#silence.stop()
    this.#previousTurn = this.#turn ?? this.#previousTurn
    this.#turn = undefined
    // The idle time counts from here, also when the turn ended without an update.
    this.#deps.onActivity()
  }

  /** `chunks` were joined into the update. */
  receive(update: SessionUpdate, chunks: number): void {
    this.#deps.onActivity()
    const passed = this.#filter.apply(update)
    if (passed === undefined) return
    if (isVisible(passed)) this.noteActivity()
    this.#record(() => this.#offloader.offload(passed))
    if (chunks > 1) (this.#turn ?? this.#previousTurn)?.summary.joined(update, chunks - 1)
    // Outside of a turn more text may never come.
    if (this.#turn === undefined) this.flush()
  }

  /** Stores the text that was held back: a question or the end of the turn must not come before it. */
  flush(): void {
    this.#record(() => this.#offloader.flush())
  }

  /** The call of a permission request, with everything that is known about it. */
  mergeCall(fields: KnownToolCall): KnownCall {
    return (this.#turn?.calls ?? this.#otherCalls).merge(fields)
  }

  /** Restarts the time after which a turn counts as silent. */
  noteActivity(): void {
    this.#silence.noteActivity()
  }

  /** Stores a notice for people about the agent's output, or about its silence. */
  note(notice: EventData['notice']): void {
    const { id, eventLog, hubId, onNotStored, log } = this.#deps
    const turnId = this.#turn?.turnId
    log.warn({ turnId, code: notice.code }, notice.message)
    const data = { ...notice, ...(turnId === undefined ? {} : { turnId }) }
    eventLog.write(id, { type: 'notice', data }, { hubId, onNotStored })
  }

  /** Stores that the agent reported another state of its sign-in. */
  noteAuth(data: EventData['agent.auth_changed']): void {
    const { id, eventLog, hubId, onNotStored } = this.#deps
    eventLog.write(id, { type: 'agent.auth_changed', data }, { hubId, onNotStored })
  }

  #record(updates: () => readonly SessionUpdate[]): void {
    const { onNotStored, log } = this.#deps
    try {
      for (const update of updates()) this.#write(update)
    } catch (error) {
      log.error({ err: error }, 'an update could not be stored')
      onNotStored()
    }
  }

  #write(update: SessionUpdate): void {
    const { id, eventLog, hubId, onNotStored } = this.#deps
    const turn = this.#turnOf(update)
    turn?.summary.update(update)
    const call = update.sessionUpdate.startsWith('tool_call') ? readToolCall(update) : undefined
    if (call) (turn?.calls ?? this.#otherCalls).merge(call)
    const data = turn ? { turnId: turn.turnId, update } : { update }
    eventLog.write(id, { type: 'acp.update', data }, { hubId, onNotStored })
  }

  /** A late update of a tool call stays with the turn that the call began in. */
  #turnOf({ sessionUpdate, toolCallId }: SessionUpdate): OpenTurn | undefined {
    const turn = this.#turn ?? this.#previousTurn
    if (sessionUpdate !== 'tool_call_update' || turn?.calls.has(toolCallId)) return turn
    return this.#previousTurn?.calls.has(toolCallId) ? this.#previousTurn : turn
  }
}

const VISIBLE: ReadonlySet<string> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
])

/** True for an update that people see. An agent that only reports its usage, or sends empty texts, is silent to them. */
function isVisible({ sessionUpdate, content }: SessionUpdate): boolean {
  const isEmpty = isObject(content) && content['type'] === 'text' && content['text'] === ''
  return VISIBLE.has(sessionUpdate) && !isEmpty
}
