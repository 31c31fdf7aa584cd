// The current state of one tool call, merged from its updates in any order.
// Called by the reducer for tool_call, tool_call_update and the tool call of a permission request.
import type {
  Meta,
  ToolCallContent,
  ToolCallFields,
  ToolCallLocation,
  ToolKind,
  ToolStatus,
} from '../acp/acp.js'
import type { EventData } from '../events/events.js'
import { readToolContent, readToolTitle } from './tool-title.js'

/** ACP's statuses, and the hub's own for a call that its agent never finished. */
export type ToolCallStatus = ToolStatus | 'cancelled' | 'rejected' | 'interrupted'

/** The known state of a command that the agent runs in a terminal of the hub. */
export type AgentTerminal = EventData['terminal.opened'] &
  Partial<EventData['terminal.exited']> & { readonly isRunning: boolean }

export type ToolCall = Meta & {
  readonly toolCallId: string
  readonly title: string
  /** Read from the title, for display only; see tool-title.ts. */
  readonly description?: string
  readonly workingDir?: string
  readonly name?: string
  readonly kind: ToolKind
  readonly status: ToolCallStatus
  readonly content: readonly ToolCallContent[]
  readonly locations: readonly ToolCallLocation[]
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
  /** Terminal output that the agent streamed in `_meta` (Zed's convention; codex-acp 2.6, pi 0.87). */
  readonly output?: string
  /** The terminals that its content names. */
  readonly terminals?: readonly AgentTerminal[]
  /** Its last permission was rejected. */
  readonly rejected?: true
}

const FINAL_STATUSES: ReadonlySet<string> = new Set<ToolCallStatus>([
  'completed',
  'failed',
  'cancelled',
  'rejected',
  'interrupted',
])

export function isFinalStatus(status: ToolCallStatus): boolean {
  return FINAL_STATUSES.has(status)
}

/** The command in a call's input: `command` or `cmd`, a text or a list of words, and `args`. */
export function commandLineOf(rawInput: unknown): string | undefined {
  if (typeof rawInput !== 'object' || rawInput === null) return undefined
  const { command, cmd, args } = rawInput as { command?: unknown; cmd?: unknown; args?: unknown }
  const words = [command ?? cmd, args ?? []].flat()
  const areWords = words.length > 0 && words.every((word) => typeof word === 'string')
  return areWords ? words.join(' ') : undefined
}

export function newToolCall(fields: ToolCallFields): ToolCall {
  const { toolCallId } = fields
  return mergeToolCall(
    {
      toolCallId,
      title: toolCallId,
      kind: 'other',
      status: 'pending',
      content: [],
      locations: [],
    },
    fields,
  )
}

/** New fields replace known ones; null and absent fields change nothing; a final status stays final. */
export function mergeToolCall(call: ToolCall, fields: ToolCallFields): ToolCall {
  const { _meta: meta, title, name, rawInput, rawOutput } = fields
  const { _meta: knownMeta } = call
  const output = streamedOutput(fields)
  const merged: Writable<ToolCall> = {
    ...call,
    kind: fields.kind ?? call.kind,
    status: nextStatus(call.status, fields.status),
    content: fields.content ?? call.content,
    locations: fields.locations ?? call.locations,
    ...(meta && { _meta: { ...knownMeta, ...meta } }),
  }
  if (isPresent(name)) merged.name = name
  if (isPresent(rawInput)) merged.rawInput = rawInput
  if (isPresent(rawOutput)) merged.rawOutput = rawOutput
  if (output !== undefined) merged.output = (call.output ?? '') + output
  if (isPresent(title)) merged.title = title
  else if (call.title === fallbackTitle(call)) merged.title = fallbackTitle(merged)
  return { ...merged, ...shownAround(fields) }
}

/** The description and folder of a call; output that replaces its content later does not remove them. */
function shownAround({ title, content }: ToolCallFields): ReturnType<typeof readToolContent> {
  const { text: _, ...inTitle } = readToolTitle(title ?? '')
  const first = content?.[0]
  const isText = first?.type === 'content' && first.content.type === 'text'
  return { ...(isText && readToolContent(first.content.text)), ...inTitle }
}

/** A permission for the call was answered; a later answer replaces an earlier one. */
export function answerToolCall(call: ToolCall, isRejected: boolean): ToolCall {
  const { rejected: _, ...rest } = call
  return isRejected ? { ...rest, rejected: true } : rest
}

/** Closes a call that is still open when its turn ends. */
export function closeToolCall(call: ToolCall, isCancelled: boolean): ToolCall {
  if (isFinalStatus(call.status)) return call
  if (call.rejected) return { ...call, status: 'rejected' }
  return { ...call, status: isCancelled ? 'cancelled' : 'interrupted' }
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

function nextStatus(status: ToolCallStatus, said: ToolStatus | null | undefined): ToolCallStatus {
  if (!isPresent(said)) return status
  return isFinalStatus(status) && !isFinalStatus(said) ? status : said
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined
}

function fallbackTitle({ name, kind, toolCallId }: ToolCall): string {
  return name ?? (kind === 'other' ? toolCallId : kind)
}

function streamedOutput({ _meta }: ToolCallFields): string | undefined {
  for (const key of ['terminal_output_delta', 'terminal_output']) {
    const piece = _meta?.[key]
    if (typeof piece !== 'object' || piece === null || !('data' in piece)) continue
    if (typeof piece.data === 'string') return piece.data
  }
  return undefined
}
