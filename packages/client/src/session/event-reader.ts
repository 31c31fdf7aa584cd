// Turns a session's log into chat events, and folds it so that each tool call is complete.
import {
  activityOf,
  applyEvent,
  emptyTranscript,
  findItem,
  isReplacement,
  noticeOf,
  readUpdate,
  type ChunkUpdate,
  type EventData,
  type Item,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import type { ChatEvent, ChatEventBody } from './chat-events.js'
import { withoutUndefined } from '../connection/without-undefined.js'

type State = Readonly<Transcript> & { readonly activity: ReturnType<typeof activityOf> }

export class EventReader {
  readonly transcript: Transcript
  #state: State
  #hasSentStatus: boolean

  /** Starts at the beginning of a log, or from a known state. */
  constructor(known?: Transcript) {
    this.transcript = known ?? emptyTranscript()
    this.#state = stateOf(this.transcript)
    this.#hasSentStatus = known !== undefined
  }

  /** The fact, then the state that it changed; empty for an event that was read before. */
  read(event: SessionEvent): ChatEvent[] {
    if (event.seq <= this.transcript.seq) return []
    const changed = applyEvent(this.transcript, event)
    const { sessionId, seq, at } = event
    const turnId = turnOf(event, this.transcript)
    const date = { sessionId, seq, at, ...withoutUndefined({ turnId }) }
    const bodies = [...this.#facts(event, this.#items(changed)), ...this.#changes()]
    return bodies.map((body) => ({ ...date, ...body }))
  }

  #facts(event: SessionEvent, changed: readonly Item[]): ChatEventBody[] {
    switch (event.type) {
      case 'acp.update':
        return this.#updateFacts(event.data, changed)
      case 'turn.queued':
        return changed.flatMap(userMessage)
      case 'turn.started':
        return [{ type: 'turn_start', turnId: event.data.turnId }]
      case 'turn.ended':
        return [...changed.flatMap(toolUpdate), ...changed.flatMap(turnEnd)]
      case 'permission.requested':
        return [...changed.flatMap(toolUpdate), ...changed.flatMap(permissionRequest)]
      case 'permission.resolved':
        return [{ type: 'permission_resolved', ...event.data }, ...changed.flatMap(toolUpdate)]
      case 'question.asked':
        return [{ type: 'question', ...event.data }]
      case 'question.answered':
        return [{ type: 'question_resolved', ...event.data }]
      case 'session.created':
      case 'session.updated':
      case 'session.ended':
      case 'session.resumed':
      case 'agent.started':
      case 'agent.exited':
      case 'agent.auth_changed':
      case 'option.set':
      case 'terminal.opened':
      case 'terminal.exited':
      case 'notice':
        return [...noticeFacts(event), ...changed.flatMap(toolUpdate)]
      default:
        // A newer hub has more types. A type of this protocol that has no case does not compile.
        return [{ type: 'unknown', raw: event satisfies never }]
    }
  }

  #updateFacts(
    { update: raw }: EventData['acp.update'],
    changed: readonly Item[],
  ): ChatEventBody[] {
    const update = readUpdate(raw)
    switch (update?.sessionUpdate) {
      case undefined:
        return [{ type: 'unknown', raw }]
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        return this.#chunkFacts(update, changed)
      case 'user_message_chunk':
        return changed.flatMap(userMessage)
      case 'plan':
        return [{ type: 'plan', entries: update.entries }]
      default:
        return changed.flatMap(toolUpdate)
    }
  }

  #chunkFacts(update: ChunkUpdate, changed: readonly Item[]): ChatEventBody[] {
    const { sessionUpdate, content } = update
    if (content.type !== 'text') return changed.flatMap(shownContent)
    const messageId = this.transcript.run?.itemId
    if (messageId === undefined || content.text === '') return []
    const type = sessionUpdate === 'agent_thought_chunk' ? 'thought_delta' : 'text_delta'
    return [{ type, messageId, delta: content.text, ...(isReplacement(update) && REPLACES) }]
  }

  #items(ids: readonly string[]): Item[] {
    return ids.flatMap((id) => findItem(this.transcript, id) ?? [])
  }

  #changes(): ChatEventBody[] {
    const before = this.#state
    const now = stateOf(this.transcript)
    this.#state = now
    const { status, activity, title, queue, configOptions: options, modes, commands, usage } = now
    const changes: ChatEventBody[] = []
    if (!isSameQueue(before.queue, queue)) changes.push({ type: 'queue', queue })
    if (before.configOptions !== options || before.modes !== modes)
      changes.push({ type: 'config', options, modes })
    if (before.commands !== commands) changes.push({ type: 'commands', commands })
    if (usage !== null && before.usage !== usage) changes.push({ type: 'usage', ...usage })
    const isSameStatus =
      before.status === status && before.activity === activity && before.title === title
    if (!isSameStatus || !this.#hasSentStatus)
      changes.push({ type: 'status', status, activity, title })
    this.#hasSentStatus = true
    return changes
  }
}

const REPLACES = { replaces: true } as const

/** A shallow copy: its lists of items are those of the transcript, its other values are replaced there, never changed. */
function stateOf(transcript: Transcript): State {
  return { ...transcript, activity: activityOf(transcript) }
}

function isSameQueue(before: State['queue'], now: State['queue']): boolean {
  return before.length === now.length && before.every((turn, place) => turn === now[place])
}

/** Answers do not name their turn; they belong to the turn of the request. */
function turnOf(event: SessionEvent, transcript: Transcript): string | undefined {
  switch (event.type) {
    case 'permission.resolved':
      return findItem(transcript, `permission:${event.data.permissionId}`)?.turnId
    case 'question.answered':
      return findItem(transcript, `question:${event.data.questionId}`)?.turnId
    case 'acp.update':
    case 'permission.requested':
    case 'question.asked':
      return event.data.turnId ?? transcript.turn?.turnId
    default:
      return 'turnId' in event.data ? event.data.turnId : undefined
  }
}

function userMessage(item: Item): ChatEventBody[] {
  if (item.type !== 'user') return []
  const { id: messageId, text, blocks: content, by, waiting } = item
  const known = withoutUndefined({ by })
  return [{ type: 'user_message', messageId, text, content, waiting, ...known }]
}

function toolUpdate(item: Item): ChatEventBody[] {
  return item.type === 'tool' ? [{ type: 'tool_update', toolCall: item.call }] : []
}

function shownContent(item: Item): ChatEventBody[] {
  return item.type === 'content'
    ? [{ type: 'content', messageId: item.id, content: item.block }]
    : []
}

function permissionRequest(item: Item): ChatEventBody[] {
  if (item.type !== 'permission') return []
  const { permissionId, toolCall, options } = item
  return [{ type: 'permission_request', permissionId, toolCall, options }]
}

function turnEnd(item: Item): ChatEventBody[] {
  if (item.type !== 'turn_end' || item.turnId === undefined) return []
  const { turnId, stopReason, error, usage, durationMs, empty } = item
  const known = withoutUndefined({ stopReason, error, usage, durationMs })
  return [{ type: 'turn_end', turnId, empty, ...known }]
}

/** The notice for an event outside of turns; none for an event that only changes state. */
function noticeFacts(event: SessionEvent): ChatEventBody[] {
  const notice = noticeOf(event)
  if (notice === undefined) return []
  const { severity, ...error } = notice
  return severity === 'error'
    ? [{ type: 'error', error }]
    : [{ type: 'notice', ...error, severity }]
}
