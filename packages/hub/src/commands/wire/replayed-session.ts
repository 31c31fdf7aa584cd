// One ACP session of recorded wire traffic. The hub's own UpdateRecorder makes its events, so that a replay shows what a live session
// would have shown.
import {
  applyEvent,
  emptyTranscript,
  type EventBody,
  type EventData,
  findItem,
  inReadingOrder,
  isFinalStatus,
  readToolCall,
  readUpdate,
  type SessionUpdate,
  toolItemId,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import {
  readAcpSession,
  readPermissionRequest,
  readQuestionRequest,
  unanswerableNotice,
} from '../../agents/connection/read-agent-messages.js'
import { HISTORY } from '../../agents/connection/update-router.js'
import type { Quirks } from '../../agents/extensions/quirks.js'
import { isObject, type JsonObject } from '../../json.js'
import { createLog } from '../../log.js'
import { TurnSummary } from '../../sessions/live/turn-summary.js'
import { UpdateRecorder } from '../../sessions/live/update-recorder.js'

type Oddity = { readonly kind: string; readonly message: string }

/** Ends what a request began, by the response to the request. */
export type Ending = (result: JsonObject, error: JsonObject | undefined, at: number) => void

/** The longest time of a timer: a replay reports no silent turn. */
const NO_LIMIT_MS = 2 ** 31 - 1
const TEXTS = new Set(['agent_message_chunk', 'agent_thought_chunk'])

export class ReplayedSession {
  readonly acpSessionId: string
  readonly firstLine: number
  /** The output of terminals, by their ids. */
  readonly terminals = new Map<string, string>()
  readonly transcript = emptyTranscript()
  readonly #recorder: UpdateRecorder
  /** Events that the recorder has made and that are not in the transcript yet. */
  readonly #recorded: EventBody[] = []
  #isOpened = false
  #turnCount = 0
  #requestCount = 0
  #runningTurnId: string | undefined
  /** Prompts that came while another one was running. They start at its end, unless they are answered before. */
  readonly #waitingTurnIds = new Set<string>()
  /** While the agent replays a loaded session. `until`: the kind of update that ends the replay, if its response does not. */
  #replay: { readonly until?: string } | undefined

  constructor(acpSessionId: string, firstLine: number, quirks: Quirks) {
    this.acpSessionId = acpSessionId
    this.firstLine = firstLine
    this.#recorder = new UpdateRecorder({
      id: acpSessionId,
      quirks,
      eventLog: { write: (_sessionId, body) => void this.#recorded.push(body) },
      putMedia,
      silenceMs: NO_LIMIT_MS,
      isWaiting: () => false,
      onActivity: () => undefined,
      onNotStored: () => {
        throw new Error('An update could not be replayed.')
      },
      log: createLog('silent'),
    })
  }

  get isOpened(): boolean {
    return this.#isOpened
  }

  get turnCount(): number {
    return this.#turnCount
  }

  get isWorking(): boolean {
    return this.transcript.turn !== null
  }

  entries(): TranscriptEntry[] {
    const items = inReadingOrder(this.transcript.items)
    return items.map((item) => transcriptEntry(item, this.terminals))
  }

  #append(body: EventBody, at: number): void {
    const event = { ...body, sessionId: this.acpSessionId, seq: this.transcript.seq + 1, at }
    applyEvent(this.transcript, event)
  }

  open(how: 'new' | 'load' | 'resume', result: JsonObject, at: number): void {
    this.#isOpened = true
    // Updates of a session that was opened again do not belong to an earlier turn.
    this.#closeTurn()
    this.#waitingTurnIds.clear()
    const session = readAcpSession(this.acpSessionId, result)
    this.#append({ type: 'agent.started', data: { ...session, how } }, at)
  }

  /** The agent repeats what is in the transcript, unless this file does not have the earlier part. */
  startReplay(): void {
    if (this.transcript.items.length > 0) this.#replay = {}
  }

  /** `until`: some agents continue the replay after their response, until an update of this kind. */
  endReplay(until: string | undefined): void {
    if (this.#replay !== undefined) this.#replay = until === undefined ? undefined : { until }
  }

  prompt(prompt: unknown, at: number): Ending {
    this.#turnCount += 1
    const turnId = `t${this.#turnCount}`
    this.#replay = undefined
    this.#append({ type: 'turn.queued', data: { turnId, prompt: readBlocks(prompt) } }, at)
    if (this.#runningTurnId === undefined) this.#startTurn(turnId, at)
    else this.#waitingTurnIds.add(turnId)
    return ({ stopReason }, error, endedAt) => {
      this.flush(endedAt)
      this.#waitingTurnIds.delete(turnId)
      const wasRunning = this.#runningTurnId === turnId
      if (wasRunning) this.#closeTurn()
      const end = {
        turnId,
        ...(typeof stopReason === 'string' && { stopReason }),
        ...(error && { error: failureOf(error) }),
      }
      this.#append({ type: 'turn.ended', data: end }, endedAt)
      const [next] = this.#waitingTurnIds
      if (wasRunning && next !== undefined) this.#startTurn(next, endedAt)
    }
  }

  /** Undefined for a request that the hub rejects. */
  ask(params: JsonObject, at: number): Ending | undefined {
    const request = readPermissionRequest(params)
    if ('problem' in request) {
      this.#append({ type: 'notice', data: unanswerableNotice(request) }, at)
      return undefined
    }
    const permissionId = this.#newRequestId('p', at)
    const data = { permissionId, ...this.#turnId(), ...request }
    this.#append({ type: 'permission.requested', data }, at)
    return ({ outcome }, _, answeredAt) => {
      const optionId = isObject(outcome) ? outcome['optionId'] : undefined
      const answer: Pick<EventData['permission.resolved'], 'outcome' | 'reason'> =
        typeof optionId === 'string'
          ? { outcome: { outcome: 'selected', optionId }, reason: 'answered' }
          : { outcome: { outcome: 'cancelled' }, reason: 'turn_cancelled' }
      this.#append({ type: 'permission.resolved', data: { permissionId, ...answer } }, answeredAt)
    }
  }

  question(params: JsonObject, at: number): Ending {
    const { elicitationId: _, ...request } = readQuestionRequest(params)
    const questionId = this.#newRequestId('q', at)
    this.#append(
      { type: 'question.asked', data: { questionId, ...this.#turnId(), ...request } },
      at,
    )
    return ({ action, content }, _, answeredAt) => {
      const answer: EventData['question.answered'] = {
        questionId,
        action: action === 'accept' || action === 'decline' ? action : 'cancel',
        ...(isObject(content) && { content }),
      }
      this.#append({ type: 'question.answered', data: answer }, answeredAt)
    }
  }

  /** Records an update and returns its oddities. */
  update(update: SessionUpdate, at: number): readonly Oddity[] {
    const kind = update.sessionUpdate
    if (this.#replay !== undefined) {
      if (kind === this.#replay.until) this.#replay = undefined
      if (HISTORY.has(kind)) return []
    }
    this.#recorder.receive(update, 1)
    const oddities = this.#odditiesOf(update)
    this.#appendRecorded(at)
    return oddities
  }

  /** Appends the text that the recorder holds back because it may be the beginning of an image. */
  flush(at: number): void {
    this.#recorder.flush()
    this.#appendRecorded(at)
  }

  /** At the end of the file. */
  finish(at: number): void {
    this.flush(at)
    this.#closeTurn()
  }

  #startTurn(turnId: string, at: number): void {
    this.#waitingTurnIds.delete(turnId)
    this.#runningTurnId = turnId
    this.#recorder.startTurn(turnId, new TurnSummary())
    this.#appendRecorded(at)
    this.#append({ type: 'turn.started', data: { turnId } }, at)
  }

  #closeTurn(): void {
    this.#runningTurnId = undefined
    this.#recorder.closeTurn()
  }

  #appendRecorded(at: number): void {
    for (const body of this.#recorded.splice(0)) this.#append(body, at)
  }

  /** Text that came before a request is appended before it. */
  #newRequestId(prefix: string, at: number): string {
    this.flush(at)
    this.#requestCount += 1
    return `${prefix}${this.#requestCount}`
  }

  #turnId(): { turnId?: string } {
    return this.#runningTurnId === undefined ? {} : { turnId: this.#runningTurnId }
  }

  /** The event of the latest update, before it is appended. */
  #recordedUpdate(): EventData['acp.update'] | undefined {
    const body = this.#recorded.at(-1)
    return body?.type === 'acp.update' ? body.data : undefined
  }

  #odditiesOf(update: SessionUpdate): readonly Oddity[] {
    const kind = update.sessionUpdate
    if (readUpdate(update) === undefined)
      return [{ kind: 'unknown_update', message: `the update ${kind} cannot be read` }]
    if (TEXTS.has(kind) && this.#turnCount > 0 && !this.isWorking)
      return [{ kind: 'text_after_turn', message: `${kind} when no turn runs` }]
    return kind === 'tool_call' || kind === 'tool_call_update' ? this.#odditiesOfCall(update) : []
  }

  #odditiesOfCall(update: SessionUpdate): readonly Oddity[] {
    const { toolCallId = '', status } = readToolCall(update) ?? {}
    const { turnId } = this.#recordedUpdate() ?? {}
    const known = findItem(this.transcript, toolItemId(turnId, toolCallId))
    if (known?.type !== 'tool') {
      if (update.sessionUpdate === 'tool_call') return []
      const message = `tool_call_update of ${toolCallId}, which no tool_call announced`
      return [{ kind: 'tool_out_of_order', message }]
    }
    const wasFinal = isFinalStatus(known.call.status) && typeof status === 'string'
    if (!wasFinal || isFinalStatus(status)) return []
    const message = `${toolCallId} is ${known.call.status}, and then ${status}`
    return [{ kind: 'tool_out_of_order', message }]
  }
}

/** There is no media store here: images stay inline, and long texts refer to the file that is replayed. */
function putMedia(mimeType: string, bytes: Buffer): string {
  return /^(?:image|audio)\//.test(mimeType)
    ? `data:${mimeType};base64,${bytes.toString('base64')}`
    : 'in the wire file'
}

function readBlocks(prompt: unknown) {
  const blocks = Array.isArray(prompt) ? prompt : []
  return blocks.flatMap((content: unknown) => {
    const read = readUpdate({ sessionUpdate: 'user_message_chunk', content })
    return read?.sessionUpdate === 'user_message_chunk' ? [read.content] : []
  })
}

function failureOf(error: JsonObject) {
  const message = typeof error['message'] === 'string' ? error['message'] : 'no message'
  return { code: 'agent_failed', message, details: { acp: error } }
}
