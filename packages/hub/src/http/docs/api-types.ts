// JSON Schemas as TypeScript writes types, for documentation in plain text.
import { nameOf } from './docs-schema.js'
import type { JsonSchema } from './openapi.js'

/** In one line: `{ id: string, title?: string | null }`. Other schemas are shown by name. */
export function typeText(schema: JsonSchema): string {
  const { $ref, const: only, enum: values, type } = schema
  const union = unionOf(schema)
  if (typeof $ref === 'string') return nameOf($ref)
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (union !== undefined) return union.map(typeText).join(' | ')
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map(typeText).join(' & ')
  if (type === 'array') return arrayText((schema['items'] ?? {}) as JsonSchema)
  if (type === 'object') return objectText(schema)
  if (Array.isArray(type)) return type.map(simpleText).join(' | ')
  return simpleText(type)
}

/** As a declaration: the fields of an object have a line each, with what is said of them, and so have the kinds of a union. */
export function declarationText(name: string, schema: JsonSchema): string {
  const fields = fieldsOf(schema)
  const union = unionOf(schema)
  if (union !== undefined)
    return [`type ${name} =`, ...union.map((kind) => `  | ${typeText(kind)}`)].join('\n')
  if (fields.length === 0) return `type ${name} = ${typeText(schema)}`
  const lines = fields.map(({ head, schema: field }) => {
    const { description } = field
    const note = typeof description === 'string' ? ` // ${oneLine(description)}` : ''
    return `  ${head}: ${typeText(field)}${note}`
  })
  return `type ${name} = {\n${lines.join('\n')}\n}`
}

function unionOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const union = schema['oneOf'] ?? schema['anyOf']
  return Array.isArray(union) ? (union as readonly JsonSchema[]) : undefined
}

type Field = { readonly head: string; readonly schema: JsonSchema }

function fieldsOf(schema: JsonSchema): readonly Field[] {
  const required = (schema['required'] ?? []) as readonly string[]
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return { head: required.includes(name) ? key : `${key}?`, schema: field }
  })
}

function objectText(schema: JsonSchema): string {
  const fields = fieldsOf(schema).map(({ head, schema: field }) => `${head}: ${typeText(field)}`)
  if (fields.length > 0) return `{ ${fields.join(', ')} }`
  const { additionalProperties: rest } = schema
  if (rest === false || rest === undefined) return '{}'
  return `Record<string, ${typeText(rest === true ? {} : (rest as JsonSchema))}>`
}

function arrayText(items: JsonSchema): string {
  const text = typeText(items)
  return / [|&] /.test(text) && !text.startsWith('{') ? `(${text})[]` : `${text}[]`
}

function simpleText(type: unknown): string {
  if (typeof type !== 'string') return 'unknown'
  return type === 'integer' ? 'number' : type
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
