// The secrets of MCP servers: replaced by `{ "isSet": true }` for clients, the log and the database, and filled in again.
// Secret are all values of `env` and `headers`, and every other text that the redaction of the wire log changes.
import { isObject, type JsonObject } from '../../json.js'
import { redactValue } from '../wire/redact/redact.js'

const IS_SET = { isSet: true }

/** True for the form in which clients see a secret. */
export function isPlaceholder(value: unknown): boolean {
  return isObject(value) && value['isSet'] === true && Object.keys(value).length === 1
}

export function hasPlaceholder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isPlaceholder(value) || Object.values(value).some(hasPlaceholder)
}

/** The servers as clients see them. Idempotent. */
export function hideSecrets<Server extends JsonObject>(servers: readonly Server[]): Server[] {
  const { mcpServers: shown } = redactValue({ mcpServers: servers }) as { mcpServers: unknown }
  const hidden = hide(servers, shown) as Server[]
  return hidden.map((server, index) => ({ ...server, name: servers[index]?.['name'] }))
}

/**
 * The servers with the stored values in place of the placeholders. Servers, variables and headers are found by their names,
 * arguments by the argument before them. A placeholder without a stored value stays.
 */
export function fillSecrets<Server extends JsonObject>(
  servers: readonly Server[],
  stored: readonly JsonObject[],
): Server[] {
  return fill(servers, { value: stored, hidden: hideSecrets(stored) }) as Server[]
}

function hide(value: unknown, shown: unknown): unknown {
  if (value === shown) return value
  if (Array.isArray(value) && Array.isArray(shown))
    return value.map((item, index) => hide(item, shown[index]))
  if (!isObject(value) || !isObject(shown)) return IS_SET
  const parts = Object.values(shown)
  const entries = Object.entries(value).map(
    ([key, part], i) => [key, hide(part, parts[i])] as const,
  )
  return Object.fromEntries(entries)
}

/** A part of the stored servers, and the form that clients see. */
type Stored = { readonly value: unknown; readonly hidden: unknown }

function fill(value: unknown, stored: Stored): unknown {
  if (isPlaceholder(value)) return isPlaceholder(stored.hidden) ? stored.value : value
  if (Array.isArray(value)) return fillList(value, stored)
  if (!isObject(value)) return value
  const partOf = (key: string): Stored => ({
    value: isObject(stored.value) ? stored.value[key] : undefined,
    hidden: isObject(stored.hidden) ? stored.hidden[key] : undefined,
  })
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, fill(part, partOf(key))]),
  )
}

function fillList(list: readonly unknown[], { value, hidden }: Stored): unknown[] {
  const places = Array.isArray(hidden) ? placesOf(hidden) : []
  return placesOf(list).map((place, index) => {
    const at = places.indexOf(place)
    const stored = Array.isArray(value) && Array.isArray(hidden) && at >= 0
    return fill(list[index], stored ? { value: value[at], hidden: hidden[at] } : NOT_STORED)
  })
}

const NOT_STORED: Stored = { value: undefined, hidden: undefined }

/** Identifies the items of a list by name, else by the item before, and repetitions by their count. */
function placesOf(list: readonly unknown[]): string[] {
  const counts = new Map<string, number>()
  return list.map((item, index) => {
    const place = JSON.stringify(
      isObject(item) && 'name' in item ? { name: item['name'] } : [list[index - 1]],
    )
    const count = counts.get(place) ?? 0
    counts.set(place, count + 1)
    return `${place} ${count}`
  })
}
