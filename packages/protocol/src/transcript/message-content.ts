// Maps an item to its message row: a role, and a JSON content with a `type`.
import type { ContentBlock } from '../acp/acp.js'
import { isSessionFailure } from '../events/session-failure.js'
import type { MessageContent, MessageRole } from './message-schemas.js'
import type { ToolCall } from './tool-call.js'
import type {
  Item,
  NoticeItem,
  PermissionItem,
  QuestionItem,
  ToolItem,
  TurnEndItem,
  UserItem,
} from './transcript-items.js'

export type MessageBody = { readonly role: MessageRole; readonly content: MessageContent }

/** Undefined for a turn that ended normally: its messages are enough. Also for one that failed with its session, whose end has a message. */
export function messageOf(item: Item): MessageBody | undefined {
  switch (item.type) {
    case 'user':
      return { role: 'user', content: userContent(item) }
    case 'text':
      return { role: 'agent', content: { type: 'text', text: item.text, partial: !item.done } }
    case 'thought':
      return { role: 'agent', content: { type: 'thought', text: item.text, partial: !item.done } }
    case 'content':
      return { role: 'agent', content: blockContent(item.block) }
    case 'plan':
      return { role: 'system', content: { type: 'plan', steps: item.entries } }
    case 'tool':
      return { role: 'system', content: toolContent(item) }
    case 'permission':
      return { role: 'system', content: permissionContent(item) }
    case 'question':
      return { role: 'system', content: questionContent(item) }
    case 'notice':
      return { role: 'system', content: noticeContent(item) }
    default: {
      const content = endContent(item)
      return content && { role: 'system', content }
    }
  }
}

function userContent({ text, blocks }: UserItem): MessageContent {
  const isPlainText = blocks.length === 1 && blocks[0]?.type === 'text'
  return isPlainText ? { type: 'text', text } : { type: 'text', text, blocks }
}

function blockContent(block: ContentBlock): MessageContent {
  switch (block.type) {
    case 'image':
      return {
        type: 'image',
        mimeType: block.mimeType,
        ...(typeof block.uri === 'string' && { url: block.uri }),
        ...(block.data !== undefined && { data: block.data }),
      }
    case 'resource_link':
      return { type: 'text', text: block.name, partial: false, blocks: [block] }
    case 'resource':
      return { type: 'text', text: block.resource.uri, partial: false, blocks: [block] }
    case 'text':
      return { type: 'text', text: block.text, partial: false }
    default:
      return { type: 'text', text: '', partial: false, blocks: [block] }
  }
}

function toolContent({ call, done }: ToolItem): MessageContent {
  return {
    type: 'tool',
    tool: call.name ?? call.kind,
    args: call.rawInput ?? {},
    result: resultOf(call),
    toolCallId: call.toolCallId,
    title: call.title,
    kind: call.kind,
    status: call.status,
    partial: !done,
  }
}

function resultOf({ rawOutput, output, content }: ToolCall): unknown {
  if (rawOutput !== undefined && output !== undefined) return { output, rawOutput }
  return rawOutput ?? output ?? (content.length > 0 ? content : null)
}

function permissionContent(item: PermissionItem): MessageContent {
  const { permissionId, toolCall, options, outcome, by } = item
  return {
    type: 'permission',
    permissionId,
    title: toolCall.title,
    options,
    outcome,
    ...(by !== undefined && { by }),
  }
}

function questionContent(item: QuestionItem): MessageContent {
  const { questionId, message, mode, url, action, content, by } = item
  return {
    type: 'status',
    text: message,
    details: { questionId, mode, url, action, content, by },
  }
}

function noticeContent({ severity, code, message, details }: NoticeItem): MessageContent {
  const more = details !== undefined && { details }
  if (severity === 'error') return { type: 'error', text: message, code, ...more }
  return { type: 'status', text: message, ...more }
}

function endContent({ error, empty, stopReason }: TurnEndItem): MessageContent | undefined {
  if (error !== undefined) {
    if (isSessionFailure(error)) return undefined
    if (error.code === 'removed') return { type: 'status', text: error.message }
    const more = error.details !== undefined && { details: error.details }
    return { type: 'error', text: error.message, code: error.code, ...more }
  }
  if (!empty || stopReason === 'cancelled') return undefined
  return {
    type: 'status',
    text: 'The turn ended without an answer.',
    details: { stopReason },
  }
}
