// The one reducer: folds a session's events into what a person reads. Used by the hub, the SDK and the UI.
import type { Activity, EventData, SessionEvent, SessionStatus } from '../events/events.js'
import { noticeOf } from './fold-notice.js'
import { exitTerminal, openTerminal } from './fold-terminal.js'
import { endAll, endTurn, queueTurn, startTurn } from './fold-turn.js'
import { foldToolCall, foldUpdate } from './fold-update.js'
import {
  readConfigOptions,
  readModes,
  readPermissionOptions,
  readToolCall,
} from '../acp/known-update.js'
import { answerToolCall, newToolCall, type ToolCall } from './tool-call.js'
import { toolItemId, type Item, type PermissionItem } from './transcript-items.js'
import {
  addItem,
  closeRun,
  emptyTranscript,
  findCall,
  findItemOf,
  changeItem,
  removeItem,
  type Step,
  type Transcript,
} from './transcript-state.js'

/**
 * Folds one event in, in place, and returns the ids of the items it added or changed.
 * Events that were folded before are ignored. The first event may have any `seq`; after it a gap throws.
 */
export function applyEvent(transcript: Transcript, event: SessionEvent): readonly string[] {
  if (event.seq <= transcript.seq) return []
  if (transcript.seq > 0 && event.seq !== transcript.seq + 1)
    throw new Error(`Event ${event.seq} cannot follow event ${transcript.seq}.`)
  transcript.seq = event.seq
  transcript.sessionId = event.sessionId
  const step: Step = { transcript, event, changed: new Set() }
  foldEvent(step, event)
  foldNotice(step)
  return [...step.changed]
}

export function foldEvents(events: Iterable<SessionEvent>): Transcript {
  const transcript = emptyTranscript()
  for (const event of events) applyEvent(transcript, event)
  return transcript
}

/**
 * Drops the content of an item that the caller has already written. The item keeps its position, so that later events fold as before;
 * content that they add must not be shown.
 */
export function forgetContent({ items, index }: Transcript, id: string): void {
  const position = index.get(id)
  const item = position === undefined ? undefined : items[position]
  if (position !== undefined && item !== undefined) items[position] = withoutContent(item)
}

function withoutContent(item: Item): Item {
  switch (item.type) {
    case 'user':
      return { ...item, text: '', blocks: [] }
    case 'text':
    case 'thought':
      // The end of the turn still needs to know that there was an answer.
      return { ...item, text: item.text.trim().slice(0, 1) }
    case 'content':
      return { ...item, block: { type: 'text', text: '' } }
    case 'tool':
      return { ...item, call: bareCall(item.call) }
    case 'permission':
      return { ...item, toolCall: bareCall(item.toolCall) }
    case 'plan':
      return { ...item, entries: [] }
    case 'notice': {
      const { details: _, ...rest } = item
      return rest
    }
    default:
      return item
  }
}

function bareCall({ toolCallId, title, kind, status, rejected }: ToolCall): ToolCall {
  const bare = { toolCallId, title, kind, status, content: [], locations: [] }
  return rejected ? { ...bare, rejected } : bare
}

/** The activity of an active session. */
export function activityOf(transcript: Transcript): Activity {
  const { turn, queue, isQueuePaused, openPermissions, openQuestions } = transcript
  if (openPermissions.size > 0 || openQuestions.size > 0) return 'waiting'
  const isGoingOn = queue.length > 0 && !isQueuePaused
  return turn !== null || isGoingOn ? 'working' : 'idle'
}

function foldEvent(step: Step, event: SessionEvent): void {
  switch (event.type) {
    case 'acp.update':
      return foldUpdate(step, event.data)
    case 'turn.queued':
      return queueTurn(step, event.data)
    case 'turn.started':
      return startTurn(step, event.data)
    case 'turn.ended':
      return endTurn(step, event.data)
    case 'permission.requested':
      return askPermission(step, event.data)
    case 'permission.resolved':
      return resolvePermission(step, event.data)
    case 'question.asked':
      return askQuestion(step, event.data)
    case 'question.answered':
      return answerQuestion(step, event.data)
    case 'agent.started':
      return startAgent(step.transcript, event.data)
    case 'option.set':
      return setOption(step.transcript, event.data)
    case 'terminal.opened':
      return openTerminal(step, event.data)
    case 'terminal.exited':
      return exitTerminal(step, event.data)
    default:
      return foldSession(step, event)
  }
}

function foldSession(step: Step, event: SessionEvent): void {
  const { transcript } = step
  switch (event.type) {
    case 'session.created':
    case 'session.updated':
      if (event.type === 'session.updated')
        transcript.isArchived = event.data.archived ?? transcript.isArchived
      else if (event.data.forkedFrom) beginFork(step)
      transcript.settings = event.data.settings ?? transcript.settings
      if (event.data.title === undefined) return
      transcript.title = event.data.title
      transcript.isTitleGiven = event.data.title !== null
      return
    case 'session.ended':
      return endSession(step, event.data.status)
    case 'session.resumed':
      transcript.status = 'active'
      return
    case 'agent.exited':
      transcript.agent = null
      return
    case 'agent.auth_changed':
      if (transcript.agent)
        transcript.agent = { ...transcript.agent, isSignedOut: !event.data.signedIn }
  }
}

/** The fork has the conversation of the other session, and nothing that was under way or waited there. */
function beginFork(step: Step): void {
  const { transcript } = step
  for (const { turnId } of transcript.queue) removeItem(transcript, `user:${turnId}`)
  endSession(step, 'active')
  transcript.isArchived = false
  transcript.usage = null
}

function endSession(step: Step, status: SessionStatus): void {
  const { transcript } = step
  transcript.status = status
  transcript.agent = null
  transcript.isQueuePaused = false
  endAll(step, status === 'error')
}

function foldNotice(step: Step): void {
  const { event, transcript } = step
  const notice = noticeOf(event)
  if (notice === undefined) return
  const turnId = event.type === 'notice' ? event.data.turnId : transcript.turn?.turnId
  addItem(step, { type: 'notice', id: `notice:${event.seq}`, turnId, done: true, ...notice })
}

function askPermission(step: Step, data: EventData['permission.requested']): void {
  const { transcript } = step
  const { turnId = transcript.turn?.turnId, ...request } = data
  const { permissionId } = request
  const fields = readToolCall(data.toolCall)
  const toolCall =
    fields === undefined
      ? newToolCall({ toolCallId: permissionId })
      : foldToolCall(step, fields, turnId)
  closeRun(step)
  transcript.openPermissions.add(permissionId)
  addItem(step, {
    type: 'permission',
    id: `permission:${permissionId}`,
    turnId,
    done: false,
    ...request,
    toolCall,
    options: readPermissionOptions(data.options),
    outcome: null,
  })
}

function resolvePermission(step: Step, data: EventData['permission.resolved']): void {
  const { permissionId, ...answer } = data
  step.transcript.openPermissions.delete(permissionId)
  const item = findItemOf(step.transcript, 'permission', `permission:${permissionId}`)
  if (item === undefined) return
  changeItem(step, item, { ...answer, done: true })
  const toolId = toolItemId(item.turnId, item.toolCall.toolCallId)
  const tool = findCall(step.transcript, toolId)
  if (tool === undefined || answer.outcome.outcome !== 'selected') return
  changeItem(step, tool, {
    call: answerToolCall(tool.call, isReject(item, answer.outcome.optionId)),
  })
}

function isReject({ options }: PermissionItem, chosenId: string): boolean {
  return options.some(({ optionId, kind }) => optionId === chosenId && kind.startsWith('reject'))
}

function askQuestion(step: Step, data: EventData['question.asked']): void {
  const { transcript } = step
  const { turnId = transcript.turn?.turnId, ...question } = data
  closeRun(step)
  transcript.openQuestions.add(data.questionId)
  const id = `question:${data.questionId}`
  addItem(step, { type: 'question', id, turnId, done: false, ...question, action: null })
}

function answerQuestion(step: Step, data: EventData['question.answered']): void {
  step.transcript.openQuestions.delete(data.questionId)
  const item = findItemOf(step.transcript, 'question', `question:${data.questionId}`)
  if (item !== undefined) changeItem(step, item, { ...data, done: true })
}

function startAgent(transcript: Transcript, data: EventData['agent.started']): void {
  transcript.agent = data
  transcript.capabilities = data.capabilities ?? null
  transcript.modes = readModes(data.modes) ?? transcript.modes
  transcript.configOptions = readConfigOptions(data.configOptions) ?? transcript.configOptions
}

function setOption(transcript: Transcript, data: EventData['option.set']): void {
  const { optionId, value } = data
  const options = readConfigOptions(data.configOptions) ?? transcript.configOptions
  transcript.configOptions = options.map((option) =>
    option.id === optionId ? { ...option, currentValue: value } : option,
  )
  // Agents without config options have modes, which are set as the option "mode"; Gemini CLI never confirms one.
  if (optionId === 'mode' && typeof value === 'string' && transcript.modes !== null)
    transcript.modes = { ...transcript.modes, currentModeId: value }
  // The same holds for models of agents that list them in the older way.
  const { agent } = transcript
  if (optionId === 'model' && agent?.models !== undefined)
    transcript.agent = { ...agent, models: { ...agent.models, currentModelId: value } }
}
