// One ACP session of recorded wire traffic, folded as the hub would have folded it.
import {
  applyEvent,
  emptyTranscript,
  type EventBody,
  findItem,
  inReadingOrder,
  isFinalStatus,
  readConfigOptions,
  readModes,
  readPermissionOptions,
  readToolCall,
  readUpdate,
  type SessionUpdate,
  toolItemId,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import { type Quirks, UpdateFilter } from '../../agents/extensions/quirks.js'
import { HISTORY } from '../../agents/connection/update-router.js'
import { isObject, type JsonObject } from '../../agents/wire/frames.js'

type Odd = { readonly kind: string; readonly message: string }
type Ending = (result: JsonObject, error: JsonObject | undefined) => EventBody

const TEXTS = new Set(['agent_message_chunk', 'agent_thought_chunk'])

export class ReplayedSession {
  readonly acpSessionId: string
  readonly firstLine: number
  /** What terminals printed, by their ids. */
  readonly terminals = new Map<string, string>()
  readonly transcript = emptyTranscript()
  readonly #filter: UpdateFilter
  #isOpened = false
  #turns = 0
  #asked = 0
  /** The update that ends it, or its answer. */
  #replay: { readonly until?: string } | undefined

  constructor(acpSessionId: string, firstLine: number, quirks: Quirks) {
    this.acpSessionId = acpSessionId
    this.firstLine = firstLine
    this.#filter = new UpdateFilter(quirks)
  }

  get isOpened(): boolean {
    return this.#isOpened
  }

  get turns(): number {
    return this.#turns
  }

  get isWorking(): boolean {
    return this.transcript.turn !== null
  }

  entries(): TranscriptEntry[] {
    const items = inReadingOrder(this.transcript.items)
    return items.map((item) => transcriptEntry(item, this.terminals))
  }

  append(body: EventBody, at: number): void {
    const event = { ...body, sessionId: this.acpSessionId, seq: this.transcript.seq + 1, at }
    applyEvent(this.transcript, event)
  }

  open(how: 'new' | 'load' | 'resume', result: JsonObject, at: number): void {
    this.#isOpened = true
    const modes = readModes(result['modes'])
    const configOptions = readConfigOptions(result['configOptions'])
    const started = { acpSessionId: this.acpSessionId, how }
    this.append(
      {
        type: 'agent.started',
        data: { ...started, ...(modes && { modes }), ...(configOptions && { configOptions }) },
      },
      at,
    )
  }

  /** What the agent repeats is known already, unless this file has nothing of it. */
  startReplay(): void {
    if (this.transcript.items.length > 0) this.#replay = {}
  }

  /** Some agents go on after their answer, until an update of this kind. */
  endReplay(until: string | undefined): void {
    if (this.#replay !== undefined) this.#replay = until === undefined ? undefined : { until }
  }

  prompt(prompt: unknown, at: number): Ending {
    this.#turns += 1
    const turnId = `t${this.#turns}`
    this.#replay = undefined
    this.#filter.startTurn()
    const blocks = readBlocks(prompt)
    this.append({ type: 'turn.queued', data: { turnId, prompt: blocks } }, at)
    this.append({ type: 'turn.started', data: { turnId } }, at)
    return ({ stopReason }, error) => ({
      type: 'turn.ended',
      data: {
        turnId,
        ...(typeof stopReason === 'string' && { stopReason }),
        ...(error && { error: failureOf(error) }),
      },
    })
  }

  ask({ toolCall, options }: JsonObject, at: number): Ending {
    this.#asked += 1
    const permissionId = `p${this.#asked}`
    const call = readToolCall(toolCall) ?? { toolCallId: permissionId }
    this.append(
      {
        type: 'permission.requested',
        data: { permissionId, toolCall: call, options: readPermissionOptions(options) },
      },
      at,
    )
    return ({ outcome }) => {
      const optionId = isObject(outcome) ? outcome['optionId'] : undefined
      const chosen = typeof optionId === 'string'
      return {
        type: 'permission.resolved',
        data: {
          permissionId,
          outcome: chosen ? { outcome: 'selected', optionId } : { outcome: 'cancelled' },
          reason: chosen ? 'answered' : 'turn_cancelled',
        },
      }
    }
  }

  question({ message, mode, requestedSchema, url }: JsonObject, at: number): Ending {
    this.#asked += 1
    const questionId = `q${this.#asked}`
    this.append(
      {
        type: 'question.asked',
        data: {
          questionId,
          message: typeof message === 'string' ? message : '',
          mode: typeof mode === 'string' ? mode : 'form',
          ...(requestedSchema !== undefined && { requestedSchema }),
          ...(typeof url === 'string' && { url }),
        },
      },
      at,
    )
    return ({ action, content }) => ({
      type: 'question.answered',
      data: {
        questionId,
        action: action === 'accept' || action === 'decline' ? action : 'cancel',
        ...(isObject(content) && { content }),
      },
    })
  }

  /** Folds an update in and says what was odd about it. */
  update(update: SessionUpdate, at: number): readonly Odd[] {
    const kind = update.sessionUpdate
    if (this.#replay !== undefined) {
      if (kind === this.#replay.until) this.#replay = undefined
      if (HISTORY.has(kind)) return []
    }
    const odd = this.#oddOf(update)
    const passed = this.#filter.apply(update)
    if (passed !== undefined) this.append({ type: 'acp.update', data: { update: passed } }, at)
    return odd
  }

  #oddOf(update: SessionUpdate): readonly Odd[] {
    const kind = update.sessionUpdate
    if (readUpdate(update) === undefined)
      return [{ kind: 'unknown_update', message: `the update ${kind} cannot be read` }]
    if (TEXTS.has(kind) && this.#turns > 0 && !this.isWorking)
      return [{ kind: 'text_after_turn', message: `${kind} when no turn runs` }]
    return kind === 'tool_call' || kind === 'tool_call_update' ? this.#oddCall(update) : []
  }

  #oddCall(update: SessionUpdate): readonly Odd[] {
    const { toolCallId = '', status } = readToolCall(update) ?? {}
    const { turn, lastTurnId } = this.transcript
    const known = findItem(this.transcript, toolItemId(turn?.turnId ?? lastTurnId, toolCallId))
    if (known?.type !== 'tool') {
      if (update.sessionUpdate === 'tool_call') return []
      const message = `tool_call_update of ${toolCallId}, which nobody announced`
      return [{ kind: 'tool_out_of_order', message }]
    }
    const isBack = isFinalStatus(known.call.status) && typeof status === 'string'
    if (!isBack || isFinalStatus(status)) return []
    const message = `${toolCallId} is ${known.call.status}, and then ${status}`
    return [{ kind: 'tool_out_of_order', message }]
  }
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
