// JSON Schemas as TypeScript writes types: as text for docs/api.md and the terminal, and as HTML for the page, with limits.
import { type Html, html, prose } from '@quayside/protocol'
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

function unionOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
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

/** `string`, `"a" | "b"`, `SessionSummary[]`: other schemas are links. The fields of an object are listed below it. */
export function typeOf(schema: JsonSchema): Html {
  const parts = typeText(schema, () => 'object').split(QUOTED_OR_NAME)
  return html`${parts.map((part) => (/^[A-Z]/.test(part) ? refLink(part) : part))}`
}

const QUOTED_OR_NAME = /("(?:[^"\\]|\\.)*"|\b[A-Z]\w*)/

/** The fields of an object, or the kinds of a union. */
export function bodyOf(schema: JsonSchema): Html | undefined {
  const union = unionOf(schema)
  if (union !== undefined && union.every(isKind))
    return html`<ul class="kinds">
      ${union.map((kind) => html`<li>${isRef(kind) ? typeOf(kind) : bodyOf(kind)}</li>`)}
    </ul>`
  if (schema['type'] === 'array') return bodyOf((schema['items'] ?? {}) as JsonSchema)
  const fields = fieldsOf(schema)
  return fields.length === 0
    ? undefined
    : html`<ul class="fields">
        ${fields.map(fieldRow)}
      </ul>`
}

export function fieldRow({ name, required, schema }: Field): Html {
  const description = schema['description']
  return html`<li>
    <code class="name">${name}</code>${required ? '' : html`<span class="optional">optional</span>`}
    <span class="type">${typeOf(schema)}</span>
    ${limitsOf(schema).map((limit) => html`<span class="limit">${limit}</span> `)}
    ${typeof description === 'string' && html`<p>${prose(description)}</p>`}
    ${isRef(schema) ? undefined : bodyOf(schema)}
  </li>`
}

export function refLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`
}

const LIMITS = {
  type: (value: string) => (value === 'integer' ? value : []),
  format: (value: string) => value,
  pattern: (value: string) => value,
  minimum: (value: string) => `≥ ${value}`,
  maximum: (value: string) => `≤ ${value}`,
  minLength: (value: string) => (value === '1' ? 'not empty' : `at least ${value} characters`),
  maxLength: (value: string) => `at most ${value} characters`,
  minItems: (value: string) => (value === '1' ? 'not empty' : `at least ${value}`),
  maxItems: (value: string) => `at most ${value}`,
  default: (value: string) => `default ${value}`,
} as const

function limitsOf(schema: JsonSchema): string[] {
  return Object.entries(LIMITS).flatMap(([name, say]) => {
    const value = schema[name]
    if (value === undefined) return []
    return say(typeof value === 'string' && name !== 'default' ? value : JSON.stringify(value))
  })
}

function isKind(schema: JsonSchema): boolean {
  return isRef(schema) || schema['properties'] !== undefined
}

function isRef(schema: JsonSchema): boolean {
  return schema['$ref'] !== undefined
}
