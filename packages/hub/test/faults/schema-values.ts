// Values that fit the schemas of the table of commands, drawn at random, so that the fuzz gets past the first checks of every command.
import { z } from 'zod'
import type { FuzzJson } from '../fuzz-json.js'

type JsonSchema = {
  readonly [key: string]: unknown
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/** Values by the name of their field: ids that exist, paths that lead out, harmless programs. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

const STRINGS = [
  'x',
  '',
  'true',
  'a b',
  'größer 😀',
  '\u202e',
  '../x',
  '/etc/passwd',
  'x'.repeat(300),
]
const MAX_DEPTH = 6
const schemas = new WeakMap<z.ZodType, JsonSchema>()

export class SchemaValues {
  readonly #json: FuzzJson
  readonly #known: KnownValues

  constructor(json: FuzzJson, known: KnownValues) {
    this.#json = json
    this.#known = known
  }

  objectOf(type: z.ZodType): Record<string, unknown> {
    const schema = schemas.get(type) ?? toJsonSchema(type)
    schemas.set(type, schema)
    const value = this.#valueOf('', schema, { root: schema, depth: 0 })
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  }

  /** A value for a name, known or any string. */
  named(name: string): unknown {
    return this.#json.pick(this.#known[name] ?? STRINGS)
  }

  #valueOf(name: string, schema: JsonSchema, place: Place): unknown {
    const { $ref, anyOf, oneOf, enum: choices } = schema
    const inner = { ...place, depth: place.depth + 1 }
    if ($ref !== undefined) return this.#valueOf(name, resolve(place.root, $ref), inner)
    if ('const' in schema) return schema['const']
    if (choices) return this.#json.pick(choices)
    const ways = anyOf ?? oneOf
    if (ways) return this.#valueOf(name, this.#json.pick(ways), inner)
    if (this.#known[name] && schema.type === 'string') return this.named(name)
    return this.#plain(schema, inner) ?? this.named(name)
  }

  #plain(schema: JsonSchema, place: Place): unknown {
    const { type, items, properties = {}, required = [] } = schema
    if (type === 'integer' || type === 'number') return this.#json.pick([0, 1, 2, 10, 50, 1_000])
    if (type === 'boolean') return this.#json.chance(0.5)
    if (type === 'array') {
      const length = place.depth > MAX_DEPTH ? 0 : this.#json.below(3)
      return Array.from({ length }, () => this.#valueOf('', items ?? {}, place))
    }
    if (type !== 'object') return undefined
    const isWanted = (name: string): boolean =>
      required.includes(name) || (place.depth < MAX_DEPTH && this.#json.chance(0.4))
    const wanted = Object.entries(properties).filter(([name]) => isWanted(name))
    return Object.fromEntries(wanted.map(([name, of]) => [name, this.#valueOf(name, of, place)]))
  }
}

type Place = { readonly root: JsonSchema; readonly depth: number }

function toJsonSchema(type: z.ZodType): JsonSchema {
  return z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function resolve({ $defs = {} }: JsonSchema, ref: string): JsonSchema {
  return $defs[ref.replace('#/$defs/', '')] ?? {}
}
