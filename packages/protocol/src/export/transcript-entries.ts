// A transcript for export: one entry for each item, in roles that other tools know.
// The roles user, reasoning, assistant, command and status are those of Codex's transcripts; the rest is in the same style.
import type { ContentBlock, PlanEntry, StopReason, ToolCallContent } from '../acp/acp.js'
import type { EventData, Failure } from '../events/events.js'
import { isSessionFailure } from '../events/session-failure.js'
import { commandLineOf, type ToolCall, type ToolCallStatus } from '../transcript/tool-call.js'
import type {
  Item,
  NoticeItem,
  PermissionItem,
  QuestionItem,
  TurnEndItem,
  UserItem,
} from '../transcript/transcript-items.js'

/** Content other than text. `url` is a path of the hub (`/media/…`) or a data URI. */
export type Attachment =
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly url?: string }
  | {
      readonly type: 'resource'
      readonly uri: string
      readonly name?: string
      readonly text?: string
    }

export type FileDiff = { readonly path: string; readonly oldText: string; readonly newText: string }

type Entries = {
  user: {
    readonly text: string
    readonly by?: string
    /** The prompt was queued when the transcript was exported. */
    readonly queued?: true
    readonly attachments?: readonly Attachment[]
  }
  reasoning: { readonly text: string }
  assistant: { readonly text: string }
  attachment: { readonly attachment: Attachment }
  /** A tool call; `command` is its command line, or its title. */
  command: {
    readonly command: string
    readonly output: string
    readonly status: ToolCallStatus
    readonly kind: string
    readonly title?: string
    readonly diffs?: readonly FileDiff[]
    readonly attachments?: readonly Attachment[]
    readonly locations?: readonly string[]
  }
  plan: { readonly entries: readonly Pick<PlanEntry, 'content' | 'status' | 'priority'>[] }
  permission: {
    readonly title: string
    readonly options: readonly string[]
    readonly outcome: 'pending' | 'selected' | 'cancelled'
    /** The chosen option. */
    readonly option?: string
    readonly reason?: string
    readonly by?: string
  }
  question: {
    readonly text: string
    readonly url?: string
    readonly outcome: 'pending' | EventData['question.answered']['action']
    readonly answer?: Readonly<Record<string, unknown>>
    readonly reason?: string
    readonly by?: string
  }
  /** The end of a turn. */
  status: {
    readonly status: 'success' | 'cancelled' | 'stopped' | 'error'
    readonly stop_reason?: StopReason
    /** The turn ended without an answer. */
    readonly empty?: true
    readonly duration_ms?: number
    readonly error?: Failure
  }
  notice: {
    readonly severity: 'info' | 'warning'
    readonly text: string
    readonly code: string
    readonly details?: Readonly<Record<string, unknown>>
  }
  error: {
    readonly text: string
    readonly code: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

export type TranscriptRole = keyof Entries
type EntryBody = {
  [Role in TranscriptRole]: { readonly role: Role } & Entries[Role]
}[TranscriptRole]
/** `timestamp` is ISO 8601. */
export type TranscriptEntry = EntryBody & { readonly timestamp: string }
export type EntryOf<Role extends TranscriptRole> = Extract<TranscriptEntry, { role: Role }>

/** The output of terminals by their ids; items hold only the ids. */
export type TerminalOutputs = ReadonlyMap<string, string>

export function transcriptEntry(
  item: Item,
  terminals: TerminalOutputs = new Map(),
): TranscriptEntry {
  return { ...bodyOf(item, terminals), timestamp: new Date(item.at).toISOString() }
}

// Some readers treat these as line ends, and terminals obey others; their JSON escapes are equivalent.
const NOT_IN_A_LINE = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** One line of JSONL, without its newline; with its `session` where a file has several. */
export function entryLine(entry: TranscriptEntry & { readonly session?: string }): string {
  return JSON.stringify(entry).replaceAll(
    NOT_IN_A_LINE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The attachments of an entry that may be pictures. */
export function attachmentsOf(entry: TranscriptEntry): readonly Attachment[] {
  if (entry.role === 'attachment') return [entry.attachment]
  return entry.role === 'user' || entry.role === 'command' ? (entry.attachments ?? []) : []
}

function bodyOf(item: Item, terminals: TerminalOutputs): EntryBody {
  switch (item.type) {
    case 'user':
      return userBody(item)
    case 'text':
      return { role: 'assistant', text: item.text }
    case 'thought':
      return { role: 'reasoning', text: item.text }
    case 'content':
      return contentBody(item.block)
    case 'tool':
      return commandBody(item.call, terminals)
    case 'plan':
      return { role: 'plan', entries: item.entries.map(planStep) }
    case 'permission':
      return permissionBody(item)
    case 'question':
      return questionBody(item)
    case 'turn_end':
      return statusBody(item)
    default:
      return noticeBody(item)
  }
}

function userBody({ text, blocks, by, waiting }: UserItem): EntryBody {
  const attachments = blocks.flatMap(attachmentOf)
  return {
    role: 'user',
    text,
    ...(by !== undefined && { by }),
    ...(waiting && { queued: true }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function contentBody(block: ContentBlock): EntryBody {
  const [attachment] = attachmentOf(block)
  if (attachment !== undefined) return { role: 'attachment', attachment }
  return { role: 'assistant', text: block.type === 'text' ? block.text : '' }
}

function attachmentOf(block: ContentBlock): Attachment[] {
  switch (block.type) {
    case 'image': {
      const url = block.data ? `data:${block.mimeType};base64,${block.data}` : block.uri
      return [{ type: 'image', mimeType: block.mimeType, ...(isText(url) && { url }) }]
    }
    case 'audio': {
      const { mimeType, _meta: meta } = block
      return [{ type: 'audio', mimeType, ...mediaOf(meta) }]
    }
    case 'resource_link':
      return [{ type: 'resource', uri: block.uri, name: block.title ?? block.name }]
    case 'resource': {
      const { uri, text } = block.resource
      return [{ type: 'resource', uri, ...(isText(text) && { text }) }]
    }
    default:
      return []
  }
}

/** The address of media that the hub stored outside of the event. */
function mediaOf(meta: ContentBlock['_meta']): { url?: string } {
  const ours = meta?.['quayside']
  if (typeof ours !== 'object' || ours === null || !('media' in ours)) return {}
  return isText(ours.media) ? { url: ours.media } : {}
}

function commandBody(call: ToolCall, terminals: TerminalOutputs): EntryBody {
  const command = commandOf(call)
  const diffs = call.content.flatMap((part) =>
    part.type === 'diff'
      ? [{ path: part.path, oldText: part.oldText ?? '', newText: part.newText }]
      : [],
  )
  const attachments = call.content.flatMap((part) =>
    part.type === 'content' ? attachmentOf(part.content) : [],
  )
  const locations = call.locations.map(({ path, line }) => (line ? `${path}:${line}` : path))
  return {
    role: 'command',
    command,
    output: outputOf(call, terminals),
    status: call.status,
    kind: call.kind,
    ...(call.title !== command && { title: call.title }),
    ...(diffs.length > 0 && { diffs }),
    ...(attachments.length > 0 && { attachments }),
    ...(locations.length > 0 && { locations }),
  }
}

function commandOf({ rawInput, kind, title }: ToolCall): string {
  return (kind === 'execute' && commandLineOf(rawInput)) || title
}

/** The output as on the page: the call's content and terminal output, or else its raw result. */
function outputOf({ content, output, rawOutput }: ToolCall, terminals: TerminalOutputs): string {
  const printed = content.flatMap((part) => printedOf(part, terminals))
  if (output !== undefined) printed.push(output)
  if (printed.length > 0 || content.length > 0 || rawOutput === undefined) return printed.join('\n')
  return typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput, null, 2)
}

function printedOf(part: ToolCallContent, terminals: TerminalOutputs): string[] {
  if (part.type === 'terminal') return [terminals.get(part.terminalId) ?? ''].filter(isText)
  return part.type === 'content' && part.content.type === 'text' ? [part.content.text] : []
}

function planStep({ content, status, priority }: PlanEntry) {
  return { content, ...(isText(status) && { status }), ...(isText(priority) && { priority }) }
}

function permissionBody({ toolCall, options, outcome, reason, by }: PermissionItem): EntryBody {
  const chosen =
    outcome?.outcome === 'selected'
      ? (options.find(({ optionId }) => optionId === outcome.optionId)?.name ?? outcome.optionId)
      : undefined
  return {
    role: 'permission',
    title: toolCall.title,
    options: options.map(({ name }) => name),
    outcome: outcome?.outcome ?? 'pending',
    ...(chosen !== undefined && { option: chosen }),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
  }
}

function questionBody({ message, url, action, content, reason, by }: QuestionItem): EntryBody {
  return {
    role: 'question',
    text: message,
    ...(url !== undefined && { url }),
    outcome: action ?? 'pending',
    ...(content !== undefined && { answer: content }),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
  }
}

function statusBody({ stopReason, error, empty, durationMs }: TurnEndItem): EntryBody {
  return {
    role: 'status',
    status: statusOf(stopReason, error),
    ...(stopReason !== undefined && { stop_reason: stopReason }),
    ...(empty && { empty }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
    // The reason of a failed session is in the entry of its end.
    ...(error !== undefined && !isSessionFailure(error) && { error }),
  }
}

function statusOf(stopReason: StopReason | undefined, error: Failure | undefined) {
  if (error !== undefined) return 'error'
  if (stopReason === 'end_turn') return 'success'
  return stopReason === 'cancelled' ? 'cancelled' : 'stopped'
}

function noticeBody({ severity, message, code, details }: NoticeItem): EntryBody {
  const said = { text: message, code, ...(details !== undefined && { details }) }
  return severity === 'error' ? { role: 'error', ...said } : { role: 'notice', severity, ...said }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
