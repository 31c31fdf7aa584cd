// The current state of one tool call, merged from its updates in any order.
// Called by the reducer for tool_call, tool_call_update and the tool call of a permission request.
import type {
  KnownToolCall,
  Meta,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
  ToolStatus,
} from '../acp/acp.js'
import { isFields } from '../acp/fields.js'
import type { EventData } from '../events/events.js'
import { readShown, readToolContent, type ShownAround } from './tool-title.js'

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

/** Shorter than a set in the bundle of the client. */
const FINAL_STATUS = /^(completed|failed|cancelled|rejected|interrupted)$/

export function isFinalStatus(status: ToolCallStatus): boolean {
  return FINAL_STATUS.test(status)
}

/** The command in a call's input: `command` or `cmd`, a text or a list of words, and `args`. */
export function commandLineOf(rawInput: unknown): string | undefined {
  if (typeof rawInput !== 'object' || rawInput === null) return undefined
  const { command, cmd, args } = rawInput as { command?: unknown; cmd?: unknown; args?: unknown }
  const words = [command ?? cmd, args ?? []].flat()
  const areWords = words.length > 0 && words.every((word) => typeof word === 'string')
  return areWords ? words.join(' ') : undefined
}

export function newToolCall(fields: KnownToolCall): ToolCall {
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

/** New fields replace known ones; absent fields change nothing; a final status stays final. */
export function mergeToolCall(call: ToolCall, fields: KnownToolCall): ToolCall {
  const { _meta: meta, title, status } = fields
  const { _meta: knownMeta } = call
  const output = streamedOutput(fields)
  const merged = {
    ...call,
    ...fields,
    status: nextStatus(call.status, status),
    ...(meta && { _meta: { ...knownMeta, ...meta } }),
    ...(output !== undefined && { output: (call.output ?? '') + output }),
    ...shownAround(fields),
  }
  const hasTitle = title !== undefined || call.title !== fallbackTitle(call)
  return hasTitle ? merged : { ...merged, title: fallbackTitle(merged) }
}

/** The description and folder of a call; output that replaces its content later does not remove them. */
function shownAround({ title, content }: KnownToolCall): ShownAround {
  const first = content?.[0]
  const isText = first?.type === 'content' && first.content.type === 'text'
  const inContent = isText ? readToolContent(first.content.text) : undefined
  return title === undefined ? (inContent ?? {}) : { ...inContent, ...readShown(title) }
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

function nextStatus(status: ToolCallStatus, said: ToolStatus = status): ToolCallStatus {
  return isFinalStatus(status) && !isFinalStatus(said) ? status : said
}

function fallbackTitle({ name, kind, toolCallId }: ToolCall): string {
  return name ?? (kind === 'other' ? toolCallId : kind)
}

function streamedOutput({ _meta }: KnownToolCall): string | undefined {
  for (const key of ['terminal_output_delta', 'terminal_output']) {
    const piece = _meta?.[key]
    if (isFields(piece) && typeof piece['data'] === 'string') return piece['data']
  }
  return undefined
}
