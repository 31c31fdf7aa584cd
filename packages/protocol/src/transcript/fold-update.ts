// Folds one ACP update into a transcript: text runs, tool calls, plans and the agent's own state.
//
// A text run ends where the agent puts a new item after it: a tool call, a thought, an image, a plan, a question.
// Updates of existing items, usage, commands and the hub's own notices do not end it.
import type {
  ChunkUpdate,
  ContentBlock,
  KnownToolCall,
  KnownUpdate,
  PlanEntry,
} from '../acp/acp.js'
import type { EventData } from '../events/events.js'
import { withTerminals } from './fold-terminal.js'
import { isFields } from '../acp/fields.js'
import { readUpdate } from '../acp/known-update.js'
import { cutTitle } from '../text/session-title.js'
import { isFinalStatus, mergeToolCall, newToolCall, type ToolCall } from './tool-call.js'
import { planItemId, type TextItem, type ThoughtItem, toolItemId } from './transcript-items.js'
import {
  addItem,
  closeRun,
  findCall,
  findItemOf,
  isRunning,
  changeItem,
  type OpenRun,
  type Step,
  type Transcript,
} from './transcript-state.js'

export function foldUpdate(step: Step, data: EventData['acp.update']): void {
  const { transcript } = step
  const update = readUpdate(data.update)
  if (update === undefined) {
    transcript.unknownUpdates += 1
    return
  }
  const turnId = data.turnId ?? transcript.turn?.turnId
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      foldChunk(step, update, turnId)
      return
    case 'tool_call':
    case 'tool_call_update': {
      const { sessionUpdate, ...fields } = update
      const isLate = turnId === undefined && sessionUpdate === 'tool_call_update'
      foldToolCall(step, fields, isLate ? turnOfLateCall(transcript, fields) : turnId)
      return
    }
    case 'plan':
      foldPlan(step, update.entries, turnId)
      return
    default:
      foldAgentState(transcript, update)
  }
}

/** Creates or updates the call's item and returns the call's current state. */
export function foldToolCall(
  step: Step,
  fields: KnownToolCall,
  turnId: string | undefined,
): ToolCall {
  const { transcript } = step
  const id = toolItemId(turnId, fields.toolCallId)
  const item = findCall(transcript, id)
  const said = item === undefined ? newToolCall(fields) : mergeToolCall(item.call, fields)
  const call = withTerminals(transcript, said)
  const done = isFinalStatus(call.status)
  if (item === undefined) {
    closeRun(step)
    addItem(step, { type: 'tool', id, turnId, done, call })
  } else {
    changeItem(step, item, { call, done })
  }
  return call
}

/** An update without a turn, while none is running, belongs to the last turn if that turn has the call. */
function turnOfLateCall(transcript: Transcript, { toolCallId }: KnownToolCall): string | undefined {
  const { lastTurnId } = transcript
  if (findCall(transcript, toolItemId(undefined, toolCallId))) return undefined
  return findCall(transcript, toolItemId(lastTurnId, toolCallId)) ? lastTurnId : undefined
}

const TYPE_OF_CHUNK = {
  user_message_chunk: 'user',
  agent_message_chunk: 'text',
  agent_thought_chunk: 'thought',
} as const

function foldChunk(step: Step, update: ChunkUpdate, turnId: string | undefined): void {
  const { content, messageId } = update
  const type = TYPE_OF_CHUNK[update.sessionUpdate]
  // The hub's own prompt begins the turn, so an agent's echo of it is dropped.
  if (type === 'user' && turnId !== undefined) return
  if (content.type === 'text')
    foldText(step, { type, turnId, messageId, replaces: isReplacement(update) }, content.text)
  else if (type === 'thought') step.transcript.unknownUpdates += 1
  else addBlock(step, { type, turnId }, content)
}

/** Adds content other than text. */
function addBlock(
  step: Step,
  { type, turnId }: { readonly type: 'user' | 'text'; readonly turnId: string | undefined },
  block: ContentBlock,
): void {
  const { seq } = step.event
  const base = { turnId, done: true }
  closeRun(step)
  if (type === 'text') addItem(step, { type: 'content', id: `content:${seq}`, ...base, block })
  else
    addItem(step, { type, id: `replay:${seq}`, ...base, text: '', blocks: [block], waiting: false })
}

/** Set by the hub for agents that send snapshots instead of deltas, when a snapshot does not continue the last one. */
export function isReplacement({ _meta }: ChunkUpdate): boolean {
  const ours = _meta?.['quayside']
  return isFields(ours) && ours['replaces'] === true
}

type Speaker = {
  readonly type: OpenRun['type']
  readonly turnId: string | undefined
  readonly messageId: string | undefined
  /** The text is the whole message so far, not an addition to it. */
  readonly replaces: boolean
}

function foldText(step: Step, speaker: Speaker, text: string): void {
  if (text === '') return
  const { run } = step.transcript
  if (run === null || !isContinued(run, speaker) || !continueRun(step, run, { ...speaker, text }))
    beginRun(step, speaker, text)
}

function isContinued(run: OpenRun, { type, turnId, messageId }: Speaker): boolean {
  if (run.type !== type || run.turnId !== turnId) return false
  return messageId === undefined || messageId === run.messageId
}

/** False when the item was dropped. */
function continueRun(
  step: Step,
  { itemId, type }: OpenRun,
  chunk: { readonly text: string; readonly replaces?: boolean },
): boolean {
  const item = findItemOf(step.transcript, type, itemId)
  if (item === undefined) return false
  const text = chunk.replaces ? chunk.text : item.text + chunk.text
  if (item.type === 'user') changeItem(step, item, { text, blocks: [{ type: 'text', text }] })
  else changeItem(step, chunk.replaces ? withoutOmission(item) : item, { text })
  return true
}

/** A text that is replaced has nothing left out. */
function withoutOmission<Any extends TextItem | ThoughtItem>(item: Any): Any {
  const { omitted: _, ...rest } = item
  return rest as Any
}

function beginRun(step: Step, { type, turnId, messageId }: Speaker, text: string): void {
  closeRun(step)
  const id = `${type === 'user' ? 'replay' : type}:${step.event.seq}`
  // Outside of a running turn no more text is expected, so the item counts as done although it may grow.
  const base = { id, turnId, done: !isRunning(step.transcript, turnId), text }
  const said = messageId === undefined ? {} : { messageId }
  if (type === 'user')
    addItem(step, { type, ...base, blocks: [{ type: 'text', text }], waiting: false })
  else addItem(step, { type, ...base, ...said })
  step.transcript.run = { itemId: id, type, ...(turnId !== undefined && { turnId }), ...said }
}

function foldPlan(step: Step, entries: readonly PlanEntry[], turnId: string | undefined): void {
  const { transcript } = step
  const id = planItemId(turnId)
  const item = findItemOf(transcript, 'plan', id)
  transcript.plan = entries
  if (item !== undefined) {
    changeItem(step, item, { entries })
    return
  }
  closeRun(step)
  addItem(step, { type: 'plan', id, turnId, done: !isRunning(transcript, turnId), entries })
}

function foldAgentState(transcript: Transcript, update: KnownUpdate): void {
  switch (update.sessionUpdate) {
    case 'available_commands_update':
      transcript.commands = update.availableCommands
      return
    case 'current_mode_update':
      transcript.modes = {
        availableModes: transcript.modes?.availableModes ?? [],
        currentModeId: update.currentModeId,
      }
      return
    case 'config_option_update':
      transcript.configOptions = update.configOptions
      return
    case 'session_info_update':
      if (update.title !== undefined && !transcript.isTitleGiven)
        transcript.title = cutTitle(update.title ?? '') || null
      return
    case 'usage_update': {
      const { sessionUpdate: _, ...usage } = update
      transcript.usage = usage
    }
  }
}
