// Folds one ACP update into a transcript: text runs, tool calls, plans and the agent's own state.
//
// A text run ends where the agent puts a new item after it: a tool call, a thought, an image, a plan, a question.
// Updates of existing items, usage, commands and the hub's own notices do not end it.
import type {
  ChunkUpdate,
  ContentBlock,
  KnownUpdate,
  PlanEntry,
  ToolCallFields,
} from '../acp/acp.js'
import type { EventData } from '../events/events.js'
import { withTerminals } from './fold-terminal.js'
import { readUpdate } from '../acp/known-update.js'
import { cutTitle } from '../text/session-title.js'
import { isFinalStatus, mergeToolCall, newToolCall, type ToolCall } from './tool-call.js'
import { planItemId, toolItemId } from './transcript-items.js'
import {
  addItem,
  closeRun,
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
  fields: ToolCallFields,
  turnId: string | undefined,
): ToolCall {
  const { transcript } = step
  const id = toolItemId(turnId, fields.toolCallId)
  const item = findItemOf(transcript, 'tool', id)
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
function turnOfLateCall(
  { index, lastTurnId }: Transcript,
  { toolCallId }: ToolCallFields,
): string | undefined {
  if (index.has(toolItemId(undefined, toolCallId))) return undefined
  return index.has(toolItemId(lastTurnId, toolCallId)) ? lastTurnId : undefined
}

function foldChunk(step: Step, update: ChunkUpdate, turnId: string | undefined): void {
  const { content, messageId } = update
  const replaces = isReplacement(update)
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      // The hub's own prompt begins the turn, so an agent's echo of it is dropped.
      if (turnId === undefined) foldUserChunk(step, content, messageId ?? undefined)
      return
    case 'agent_thought_chunk':
      if (content.type !== 'text') step.transcript.unknownUpdates += 1
      else foldText(step, { type: 'thought', turnId, messageId, replaces }, content.text)
      return
    default:
      if (content.type === 'text') {
        foldText(step, { type: 'text', turnId, messageId, replaces }, content.text)
        return
      }
      closeRun(step)
      addItem(step, {
        type: 'content',
        id: `content:${step.event.seq}`,
        turnId,
        done: true,
        block: content,
      })
  }
}

/** Set by the hub for agents that send snapshots instead of deltas, when a snapshot does not continue the last one. */
export function isReplacement({ _meta }: ChunkUpdate): boolean {
  const ours = _meta?.['quayside']
  return typeof ours === 'object' && ours !== null && 'replaces' in ours && ours.replaces === true
}

type Speaker = {
  readonly type: OpenRun['type']
  readonly turnId: string | undefined
  readonly messageId: string | null | undefined
  /** The text is the whole message so far, not an addition to it. */
  readonly replaces?: boolean
}

function foldText(step: Step, speaker: Speaker, text: string): void {
  if (text === '') return
  const { run } = step.transcript
  if (run === null || !isContinued(run, speaker) || !continueRun(step, run, { ...speaker, text }))
    beginRun(step, speaker, text)
}

function isContinued(run: OpenRun, { type, turnId, messageId }: Speaker): boolean {
  if (run.type !== type || run.turnId !== turnId) return false
  return messageId === undefined || messageId === null || messageId === run.messageId
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
  else changeItem(step, item, { text })
  return true
}

function beginRun(step: Step, { type, turnId, messageId }: Speaker, text: string): void {
  closeRun(step)
  const id = `${type === 'user' ? 'replay' : type}:${step.event.seq}`
  // Outside of a running turn no more text is expected, so the item counts as done although it may grow.
  const base = { id, turnId, done: !isRunning(step.transcript, turnId), text }
  const said = messageId === undefined || messageId === null ? {} : { messageId }
  if (type === 'thought') addItem(step, { type, ...base, ...said })
  else if (type === 'text') addItem(step, { type, ...base, ...said })
  else addItem(step, { type, ...base, blocks: [{ type: 'text', text }], waiting: false })
  step.transcript.run = { itemId: id, type, ...(turnId !== undefined && { turnId }), ...said }
}

function foldUserChunk(step: Step, block: ContentBlock, messageId: string | undefined): void {
  if (block.type === 'text') {
    foldText(step, { type: 'user', turnId: undefined, messageId }, block.text)
    return
  }
  closeRun(step)
  addItem(step, {
    type: 'user',
    id: `replay:${step.event.seq}`,
    turnId: undefined,
    done: true,
    text: '',
    blocks: [block],
    waiting: false,
  })
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
