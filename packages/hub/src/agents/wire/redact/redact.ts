// Redacts secrets in frames: by name, by form, and by value when the hub knows it. Never throws.
import { isObject } from '../../../json.js'
import { hideAssigned } from './secret-assignments.js'
import { isSecretName } from './secret-names.js'
import { hideShapes, REDACTED } from './secret-shapes.js'

type Entries = readonly (readonly [string, unknown])[]
type Walk = { nodes: number; readonly parents: Set<object> }
type Position = { readonly depth: number; readonly isSecret: boolean }

const MIN_SECRET_CHARS = 8
/** The length of `jwt=x` and of the shortest service key. */
const MIN_TEXT_CHARS = 6
const MIN_KEY_CHARS = 16
const MAX_DEPTH = 64
const MAX_NODES = 200_000
/** A number this long may be a password or a pin; a shorter one is a count. */
const LONG_NUMBER = 100_000
/** A longer word at the end of a truncated text is not a truncated secret. */
const MAX_FRAGMENT_CHARS = 512
const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const NAME_FIELDS = ['name', 'key', 'header']

/** The values of environment variables with secret names, for the hub's `Redactor`. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const isPath = value?.startsWith('/') && /credentials?$/i.test(name)
    return value !== undefined && !isPath && isSecretName(name) ? [value] : []
  })
}

export class Redactor {
  /** Longest first, because one may contain another. */
  #known: readonly string[] = []

  /** Redacts `knownSecrets` everywhere, also when escaped for JSON, encoded for a URL or in base64. */
  constructor(knownSecrets: readonly string[] = []) {
    this.learn(knownSecrets)
  }

  /** Adds secrets. Earlier ones stay, because logs outlive settings. */
  learn(secrets: readonly string[]): void {
    const long = secrets.map((s) => s.trim()).filter((s) => s.length >= MIN_SECRET_CHARS)
    const all = new Set([...this.#known, ...long.flatMap(spellings)])
    this.#known = [...all].toSorted((a, b) => b.length - a.length)
  }

  redact(text: string): string {
    return text.length < MIN_TEXT_CHARS ? text : hideAssigned(hideShapes(this.#hideKnown(text)))
  }

  /** A redacted copy of a parsed JSON value. */
  redactValue(value: unknown): unknown {
    try {
      return this.#value(value, { depth: 0, isSecret: false }, { nodes: 0, parents: new Set() })
    } catch {
      // A getter or a proxy threw; no parsed JSON does.
      return '[unreadable]'
    }
  }

  /** Removes the last word of a truncated text, which may be the beginning of a secret. */
  trimCut(text: string): string {
    const isInside = (char: string): boolean => !/[\s"'\\]/.test(char)
    let end = text.length
    const first = Math.max(0, end - MAX_FRAGMENT_CHARS)
    while (end > first && isInside(text.charAt(end - 1))) end -= 1
    for (const secret of this.#known) end = Math.min(end, startOfPrefix(text.slice(0, end), secret))
    return text.slice(0, end)
  }

  #value(value: unknown, position: Position, walk: Walk): unknown {
    if (typeof value === 'string') return this.#text(value, position.isSecret)
    if (typeof value === 'number')
      return position.isSecret && Math.abs(value) >= LONG_NUMBER ? REDACTED : value
    if (typeof value === 'bigint') return position.isSecret ? REDACTED : String(value)
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value !== 'object') return null
    walk.nodes += 1
    if (position.depth >= MAX_DEPTH || walk.nodes > MAX_NODES) return '[too deep]'
    if (walk.parents.has(value)) return '[circular]'
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    walk.parents.add(value)
    const shown = Array.isArray(value)
      ? this.#list(value, position, walk)
      : this.#object(Object.entries(value), position, walk)
    walk.parents.delete(value)
    return shown
  }

  #hideKnown(text: string): string {
    let shown = text
    for (const secret of this.#known)
      if (shown.includes(secret)) shown = shown.replaceAll(secret, REDACTED)
    return shown
  }

  /** Most keys are too short to contain a secret. */
  #key(key: string): string {
    if (key.length < MIN_SECRET_CHARS) return key
    return key.length < MIN_KEY_CHARS ? this.#hideKnown(key) : this.redact(key)
  }

  #text(text: string, isSecret: boolean): string {
    if (isSecret) return text === '' ? '' : REDACTED
    return this.redact(text)
  }

  /** Also redacts `['--token', '…']` of a command line, and `['x-api-key', '…']` of a list of pairs. */
  #list(list: readonly unknown[], { depth, isSecret }: Position, walk: Walk): unknown[] {
    return list.map((item, index) => {
      const before = list[index - 1]
      const isNamed =
        typeof before === 'string' &&
        (before.startsWith('-') || (list.length === 2 && typeof item === 'string')) &&
        isSecretName(before)
      return this.#value(item, { depth: depth + 1, isSecret: isSecret || isNamed }, walk)
    })
  }

  #object(entries: Entries, { depth, isSecret }: Position, walk: Walk): unknown {
    const named = entries.some(
      ([key, value]) =>
        typeof value === 'string' && NAME_FIELDS.includes(key) && isSecretName(value),
    )
    // fromEntries, because assigning to a key `__proto__` would change the copy's prototype.
    return Object.fromEntries(
      entries.map(([key, value]) => {
        const isHere = (isSecretName(key) && !isSchema(value)) || (named && key === 'value')
        const position = { depth: depth + 1, isSecret: isSecret || isHere }
        return [this.#key(key), this.#value(hideValues(key, value), position, walk)]
      }),
    )
  }
}

const withoutKnown = new Redactor()

export function redact(text: string): string {
  return withoutKnown.redact(text)
}

export function redactValue(value: unknown): unknown {
  return withoutKnown.redactValue(value)
}

/** A tool's input schema may have a property `token`; its type and description are not secrets. */
function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('type' in value && typeof value.type === 'string') return SCHEMA_TYPES.has(value.type)
  return '$ref' in value || 'anyOf' in value || 'oneOf' in value
}

/** All values of an environment are redacted, whatever their names; so are those of the headers of MCP servers. */
function hideValues(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isSchema(value)) return value
  if (key === 'env') return hideEntries(value)
  if (key !== 'mcpServers' || !Array.isArray(value)) return value
  return value.map((server: unknown) => {
    const { headers } = isObject(server) ? server : {}
    const isList = typeof headers === 'object' && headers !== null
    return isList ? { ...(server as object), headers: hideEntries(headers) } : server
  })
}

function hideEntries(list: object): unknown {
  if (!Array.isArray(list))
    return Object.fromEntries(Object.entries(list).map(([name, value]) => [name, hideLeaf(value)]))
  return list.map((item: unknown) => {
    if (typeof item === 'string') return item.replace(/=[^]*$/, `=${REDACTED}`)
    if (typeof item !== 'object' || item === null || !('value' in item)) return item
    return { ...item, value: hideLeaf(item.value) }
  })
}

function hideLeaf(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? REDACTED : value
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(bytes.toString()),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    bytes.toString('base64').replace(/=+$/, ''),
  ]
}

function startOfPrefix(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= 4; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return text.length - length
  return text.length
}
