// Messages as lines, for words that bypass the SDK: valid ones, and ones that the SDK would reject.
import { methods } from '@agentclientprotocol/sdk'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Turn } from './turn.js'

/** A `session/update` as the SDK would write it; the update may be unknown to ACP. */
export function updateLine(turn: Turn, update: object): string {
  return notificationLine(methods.client.session.update, { sessionId: turn.session.id, update })
}

export function notificationLine(method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`
}

export function textChunk(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
}
