// Writes a session's log for tests: assigns `seq` and time as the hub's log does.
import type { EventBody, SessionEvent, SessionUpdate } from '../src/index.js'

export const SESSION_ID = '01980000-0000-7000-8000-000000000001'

export class EventWriter {
  readonly events: SessionEvent[] = []

  append(...bodies: readonly EventBody[]): this {
    for (const body of bodies) {
      const seq = this.events.length + 1
      this.events.push({ ...body, sessionId: SESSION_ID, seq, at: 1000 * seq })
    }
    return this
  }

  /** A prompt that starts at once. */
  prompt(turnId: string, text = 'Do it.'): this {
    return this.append(
      { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text }] } },
      { type: 'turn.started', data: { turnId } },
    )
  }

  end(turnId: string, stopReason = 'end_turn'): this {
    return this.append({ type: 'turn.ended', data: { turnId, stopReason } })
  }

  update(update: SessionUpdate, turnId?: string): this {
    return this.append({ type: 'acp.update', data: turnId ? { turnId, update } : { update } })
  }

  /** Chunks of the agent's answer. */
  say(...texts: readonly string[]): this {
    for (const text of texts) this.update(chunk('agent_message_chunk', text))
    return this
  }

  think(...texts: readonly string[]): this {
    for (const text of texts) this.update(chunk('agent_thought_chunk', text))
    return this
  }

  ask(
    permissionId: string,
    toolCall: { readonly toolCallId: string; readonly title?: string },
  ): this {
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ]
    return this.append({ type: 'permission.requested', data: { permissionId, toolCall, options } })
  }

  answer(permissionId: string, optionId: string): this {
    const outcome = { outcome: 'selected', optionId } as const
    return this.append({
      type: 'permission.resolved',
      data: { permissionId, outcome, reason: 'answered', by: 'ada' },
    })
  }
}

export function chunk(sessionUpdate: string, text: string, messageId?: string): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text }, ...(messageId && { messageId }) }
}

export function tool(
  toolCallId: string,
  fields: Readonly<Record<string, unknown>> = {},
): SessionUpdate {
  return { sessionUpdate: 'tool_call', toolCallId, ...fields }
}

export function toolUpdate(
  toolCallId: string,
  fields: Readonly<Record<string, unknown>> = {},
): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', toolCallId, ...fields }
}
