// Where a value is not as a JSON Schema says, each place with its path. Knows the part of JSON Schema that ACP's uses.
import { isObject, type JsonObject } from './frames.js'

/** `$defs` by their names. */
export type SchemaParts = Readonly<Record<string, JsonObject>>

type Place = { readonly value: unknown; readonly path: string }

const MAX_FAULTS = 20
/** What stands for a secret may have had another type. */
const REDACTED = '[redacted]'

/** Like `params.update.content: is missing`. At most a few; whoever reads them starts with the first. */
export function schemaFaults(parts: SchemaParts, schema: JsonObject, place: Place): string[] {
  // A part may be named by several others, and each says the same of it.
  return [...new Set(faultsOf(parts, schema, place))].slice(0, MAX_FAULTS)
}

function faultsOf(parts: SchemaParts, schema: JsonObject, place: Place): string[] {
  if (place.value === REDACTED) return []
  const { $ref, allOf, oneOf, anyOf } = schema
  const check = (other: unknown) => (isObject(other) ? faultsOf(parts, other, place) : [])
  return [
    ...(typeof $ref === 'string' ? check(parts[$ref.slice($ref.lastIndexOf('/') + 1)]) : []),
    ...listOf(allOf).flatMap(check),
    ...typeFaults(schema, place),
    ...memberFaults(parts, schema, place),
    ...choiceFaults([...listOf(oneOf), ...listOf(anyOf)], place, check),
  ]
}

function typeFaults({ type, const: only, enum: some }: JsonObject, { value, path }: Place) {
  const types = typeof type === 'string' ? [type] : listOf(type)
  if (types.length > 0 && !types.some((name) => isOfType(value, name)))
    return [`${path}: is ${nameOf(value)}, not ${types.join(' or ')}`]
  const values = only === undefined ? listOf(some) : [only]
  const isFine = values.length === 0 || values.includes(value)
  return isFine ? [] : [`${path}: is ${JSON.stringify(value)}, not ${values.join(', ')}`]
}

function memberFaults(parts: SchemaParts, schema: JsonObject, { value, path }: Place): string[] {
  const { properties, required, items } = schema
  if (Array.isArray(value)) {
    if (!isObject(items)) return []
    return value.flatMap((item: unknown, at) =>
      faultsOf(parts, items, { value: item, path: `${path}[${at}]` }),
    )
  }
  if (!isObject(value)) return []
  const missing = listOf(required).filter((name) => value[String(name)] === undefined)
  const known = Object.entries(isObject(properties) ? properties : {})
  return [
    ...missing.map((name) => `${path}.${String(name)}: is missing`),
    ...known.flatMap(([name, inner]) =>
      value[name] === undefined || !isObject(inner)
        ? []
        : faultsOf(parts, inner, { value: value[name], path: `${path}.${name}` }),
    ),
  ]
}

/** When none fits, what is said of the one that was meant: the one with the fewest faults. */
function choiceFaults(
  choices: readonly unknown[],
  { value, path }: Place,
  check: (choice: unknown) => string[],
): string[] {
  if (choices.length === 0) return []
  const consts: unknown[] = choices.map((choice) =>
    isObject(choice) ? choice['const'] : undefined,
  )
  if (consts.every((only) => only !== undefined))
    return consts.some((only) => only === value)
      ? []
      : [`${path}: is ${shortly(value)}, none of ${consts.map(String).join(', ')}`]
  const meant = choices.find((choice) => hasTagOf(choice, value))
  if (meant) return check(meant)
  const tried = choices.map(check).toSorted((a, b) => rank(a) - rank(b))
  return tried[0] ?? []
}

/** Whether the value names this choice, as `sessionUpdate: "plan"` does. */
function hasTagOf(choice: unknown, value: unknown): boolean {
  if (!isObject(choice) || !isObject(choice['properties']) || !isObject(value)) return false
  return Object.entries(choice['properties']).some(
    ([name, inner]) => isObject(inner) && 'const' in inner && inner['const'] === value[name],
  )
}

/** A choice that says of its own tag that it is another was not meant. */
function rank(faults: readonly string[]): number {
  const isOther = faults.some((fault) => /\.(?:type|sessionUpdate|outcome): is "/.test(fault))
  return faults.length + (isOther ? 1_000 : 0)
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function shortly(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
