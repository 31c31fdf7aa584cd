// Validates a value against a JSON Schema and reports faults with their paths. Supports the subset that ACP's schema uses.
import { isObject, type JsonObject } from '../../json.js'

/** The schema's `$defs`, keyed by name. */
export type SchemaDefinitions = Readonly<Record<string, JsonObject>>

type Located = { readonly value: unknown; readonly path: string }

const MAX_FAULTS = 20
/** A redacted value may have had another type. */
const REDACTED = '[redacted]'

/** Faults such as `params.update.content: is missing`, at most `MAX_FAULTS`. */
export function schemaFaults(
  definitions: SchemaDefinitions,
  schema: JsonObject,
  located: Located,
): string[] {
  // Several references to one definition report the same fault.
  return [...new Set(faultsOf(definitions, schema, located))].slice(0, MAX_FAULTS)
}

function faultsOf(definitions: SchemaDefinitions, schema: JsonObject, located: Located): string[] {
  if (located.value === REDACTED) return []
  const { $ref, allOf, oneOf, anyOf } = schema
  const check = (other: unknown) => (isObject(other) ? faultsOf(definitions, other, located) : [])
  return [
    ...(typeof $ref === 'string' ? check(definitions[$ref.slice($ref.lastIndexOf('/') + 1)]) : []),
    ...listOf(allOf).flatMap(check),
    ...typeFaults(schema, located),
    ...memberFaults(definitions, schema, located),
    ...choiceFaults([...listOf(oneOf), ...listOf(anyOf)], located, check),
  ]
}

function typeFaults({ type, const: only, enum: some }: JsonObject, { value, path }: Located) {
  const types = typeof type === 'string' ? [type] : listOf(type)
  if (types.length > 0 && !types.some((name) => isOfType(value, name)))
    return [`${path}: is ${nameOf(value)}, not ${types.join(' or ')}`]
  const values = only === undefined ? listOf(some) : [only]
  const isFine = values.length === 0 || values.includes(value)
  return isFine ? [] : [`${path}: is ${JSON.stringify(value)}, not ${values.join(', ')}`]
}

function memberFaults(
  definitions: SchemaDefinitions,
  schema: JsonObject,
  { value, path }: Located,
): string[] {
  const { properties, required, items } = schema
  if (Array.isArray(value)) {
    if (!isObject(items)) return []
    return value.flatMap((item: unknown, at) =>
      faultsOf(definitions, items, { value: item, path: `${path}[${at}]` }),
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
        : faultsOf(definitions, inner, { value: value[name], path: `${path}.${name}` }),
    ),
  ]
}

/** When no choice matches, reports the faults of the intended one: by its tag, else the one with the fewest faults. */
function choiceFaults(
  choices: readonly unknown[],
  { value, path }: Located,
  check: (choice: unknown) => string[],
): string[] {
  if (choices.length === 0) return []
  const consts: unknown[] = choices.map((choice) =>
    isObject(choice) ? choice['const'] : undefined,
  )
  if (consts.every((only) => only !== undefined))
    return consts.some((only) => only === value)
      ? []
      : [`${path}: is ${shortly(value)}, not one of ${consts.map(String).join(', ')}`]
  const meant = choices.find((choice) => hasTagOf(choice, value))
  if (meant) return check(meant)
  const tried = choices.map(check).toSorted((a, b) => rank(a) - rank(b))
  return tried[0] ?? []
}

/** True when the value has the tag of this choice, such as `sessionUpdate: "plan"`. */
function hasTagOf(choice: unknown, value: unknown): boolean {
  if (!isObject(choice) || !isObject(choice['properties']) || !isObject(value)) return false
  return Object.entries(choice['properties']).some(
    ([name, inner]) => isObject(inner) && 'const' in inner && inner['const'] === value[name],
  )
}

/** A choice whose tag differs from the value's was not intended. */
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
