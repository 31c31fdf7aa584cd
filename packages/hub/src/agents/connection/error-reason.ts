// Finds the reason in an agent's JSON-RPC error: agents put it into the message, or somewhere into `data`. Pure.
import { isObject, type JsonObject } from '../../json.js'

/** The fields of `data` in which agents put the reason. */
const REASON_FIELDS = ['details', 'message', 'error', 'detail']
const MAX_DEPTH = 8
const MAX_REASON_CHARS = 2_000
const MAX_JSON_CHARS = 500

/** The message with the reason behind it. Data without a reason follows as JSON. */
export function readReason(message: string, data: unknown): string {
  const said = innerMessage(message) ?? message
  const reason = reasonIn(data, MAX_DEPTH)
  if (reason !== undefined)
    return said.includes(reason) ? said : `${said} (${truncate(reason, MAX_REASON_CHARS)})`
  return isSaid(data, said) ? said : `${said} (${truncate(JSON.stringify(data), MAX_JSON_CHARS)})`
}

/** Gemini CLI 0.61 puts the JSON body of its model's answer into the message. */
function innerMessage(message: string): string | undefined {
  if (!message.startsWith('{') && !message.startsWith('[')) return undefined
  try {
    const parsed: unknown = JSON.parse(message)
    const body = Array.isArray(parsed) ? (parsed[0] as unknown) : parsed
    const error = isObject(body) ? body['error'] : undefined
    const inner = isObject(error) ? error['message'] : undefined
    return typeof inner === 'string' ? inner : undefined
  } catch {
    return undefined
  }
}

function reasonIn(data: unknown, depth: number): string | undefined {
  if (typeof data === 'string') return data.trim() === '' ? undefined : data.trim()
  if (depth === 0) return undefined
  if (Array.isArray(data)) return firstOf(data, (item) => reasonIn(item, depth - 1))
  if (!isObject(data)) return undefined
  const reason = firstOf(REASON_FIELDS, (name) => reasonIn(data[name], depth - 1))
  return reason === undefined ? fieldReason(data, depth) : atPath(data['path'], reason)
}

/** The first of the `_errors` that zod lists for each field. */
function fieldReason(data: JsonObject, depth: number): string | undefined {
  const { _errors, ...fields } = data
  const [own] = Array.isArray(_errors) ? (_errors as unknown[]) : []
  if (typeof own === 'string' || depth === 0) return typeof own === 'string' ? own : undefined
  return firstOf(Object.entries(fields), ([name, field]) => {
    const reason = isObject(field) ? fieldReason(field, depth - 1) : undefined
    return reason && `${name}: ${reason}`
  })
}

/** A zod issue names its field by a path. */
function atPath(path: unknown, reason: string): string {
  return Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${reason}` : reason
}

/** True when the message has every value of `data` already. */
function isSaid(data: unknown, message: string): boolean {
  if (data === undefined || data === null) return true
  if (typeof data !== 'object')
    return message.includes(typeof data === 'string' ? data : JSON.stringify(data))
  return Object.values(data).every((value) => isSaid(value, message))
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function truncate(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`
}
