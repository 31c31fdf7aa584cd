// The tool calls of one turn, merged from all that the agent sends about them, as the page shows them.
// Permissions are decided by these calls: a request usually repeats little more than the call's id.
import { isFinalStatus, mergeToolCall, newToolCall, type KnownToolCall } from '@quayside/protocol'
import { isObject } from '../../json.js'
import type { KnownCall } from '../decisions/call-facts.js'

export class TurnCalls {
  readonly #calls = new Map<string, KnownCall>()

  has(toolCallId: unknown): boolean {
    return typeof toolCallId === 'string' && this.#calls.has(toolCallId)
  }

  merge({ _meta: meta, rawOutput: _output, ...fields }: KnownToolCall): KnownCall {
    const { toolCallId } = fields
    const before = this.#calls.get(toolCallId)
    const call = before ? mergeToolCall(before.call, fields) : newToolCall(fields)
    const isWhole = (before?.isWhole ?? true) && !isReduced(meta) && !isFinalStatus(call.status)
    const known = { call, isWhole }
    // A turn may have thousands of calls; only those that can still be asked about are kept whole.
    this.#calls.set(toolCallId, isWhole ? known : { call: bareCall(call), isWhole })
    return known
  }
}

function bareCall({ toolCallId, kind, status }: KnownCall['call']): KnownCall['call'] {
  return newToolCall({ toolCallId, kind, status })
}

/** An update that is too large for an event loses fields; see offload-media.ts. */
function isReduced(meta: KnownToolCall['_meta']): boolean {
  const ours = meta?.['quayside']
  return isObject(ours) && 'update' in ours
}
