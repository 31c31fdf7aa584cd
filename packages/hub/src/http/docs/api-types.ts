// JSON Schemas as TypeScript writes types, for docs/api.md and for the page.
import type { JsonSchema, Parameter } from './openapi.js'

/** In one line: `{ id: string, title?: string | null }`. Other schemas are shown by name; `objectText` writes objects. */
export function typeText(schema: JsonSchema, objectText = fieldsText): string {
  const textOf = (part: JsonSchema): string => typeText(part, objectText)
  const { $ref, const: only, enum: values, type } = schema
  const union = unionOf(schema)
  if (typeof $ref === 'string') return nameOf($ref)
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (union !== undefined) return union.map(textOf).join(' | ')
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map(textOf).join(' & ')
  if (type === 'array') return arrayText(textOf((schema['items'] ?? {}) as JsonSchema))
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
  const lines = fields.map((field) => {
    const { description } = field.schema
    const note = typeof description === 'string' ? ` // ${oneLine(description)}` : ''
    return `  ${fieldText(field)}${note}`
  })
  return `type ${name} = {\n${lines.join('\n')}\n}`
}

export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

export function unionOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const union = schema['oneOf'] ?? schema['anyOf']
  return Array.isArray(union) ? (union as readonly JsonSchema[]) : undefined
}

export type Field = Pick<Parameter, 'name' | 'required' | 'schema'>

export function fieldsOf(schema: JsonSchema): readonly Field[] {
  const required = (schema['required'] ?? []) as readonly string[]
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).map(([name, field]) => {
    return { name, required: required.includes(name), schema: field }
  })
}

export function fieldText({ name, required, schema }: Field): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
  return `${key}${required ? '' : '?'}: ${typeText(schema)}`
}

function fieldsText(schema: JsonSchema): string {
  const fields = fieldsOf(schema).map(fieldText)
  if (fields.length > 0) return `{ ${fields.join(', ')} }`
  const { additionalProperties: rest } = schema
  if (rest === false || rest === undefined) return '{}'
  return `Record<string, ${typeText(rest === true ? {} : (rest as JsonSchema))}>`
}

function arrayText(text: string): string {
  return / [|&] /.test(text) && !text.startsWith('{') ? `(${text})[]` : `${text}[]`
}

function simpleText(type: unknown): string {
  if (typeof type !== 'string') return 'unknown'
  return type === 'integer' ? 'number' : type
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
