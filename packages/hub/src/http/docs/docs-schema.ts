// JSON Schemas as people read them: a type in one line, and the fields of an object as a list.
import { type Html, html, type Piece, prose } from '@quayside/protocol'
import type { JsonSchema } from './openapi.js'

/** `string`, `"a" | "b"`, `SessionSummary[]`: other schemas are links. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, const: only, enum: values, type, items } = schema
  const union = unionOf(schema)
  if (typeof $ref === 'string') return refLink(nameOf($ref))
  if (only !== undefined) return html`${JSON.stringify(only)}`
  if (Array.isArray(values)) return html`${values.map((v) => JSON.stringify(v)).join(' | ')}`
  if (union !== undefined) return html`${joined(union.map(typeOf), ' | ')}`
  if (type === 'array') return arrayOf((items ?? {}) as JsonSchema)
  if (Array.isArray(type)) return html`${type.join(' | ')}`
  return html`${typeof type === 'string' ? type : 'anything'}`
}

/** The fields of an object, or the kinds of a union. */
export function bodyOf(schema: JsonSchema): Html | undefined {
  const union = unionOf(schema)
  if (union !== undefined && union.every(isKind))
    return html`<ul class="kinds">
      ${union.map((kind) => html`<li>${isRef(kind) ? typeOf(kind) : bodyOf(kind)}</li>`)}
    </ul>`
  if (schema['type'] === 'array') return bodyOf((schema['items'] ?? {}) as JsonSchema)
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  if (fields.length === 0) return undefined
  const required = (schema['required'] ?? []) as readonly string[]
  return html`<ul class="fields">
    ${fields.map(([name, field]) => fieldRow(name, field, required.includes(name)))}
  </ul>`
}

export function fieldRow(name: string, schema: JsonSchema, isRequired: boolean): Html {
  const description = schema['description']
  return html`<li>
    <code class="name">${name}</code
    >${isRequired ? '' : html`<span class="optional">optional</span>`}
    <span class="type">${typeOf(schema)}</span>
    ${limitsOf(schema).map((limit) => html`<span class="limit">${limit}</span> `)}
    ${typeof description === 'string' && html`<p>${prose(description)}</p>`}
    ${isRef(schema) ? undefined : bodyOf(schema)}
  </li>`
}

export function refLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`
}

export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

const LIMITS = {
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
    return [say(typeof value === 'string' && name !== 'default' ? value : JSON.stringify(value))]
  })
}

function unionOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const union = schema['oneOf'] ?? schema['anyOf']
  return Array.isArray(union) ? (union as readonly JsonSchema[]) : undefined
}

function isKind(schema: JsonSchema): boolean {
  return isRef(schema) || schema['properties'] !== undefined
}

function isRef(schema: JsonSchema): boolean {
  return schema['$ref'] !== undefined
}

function arrayOf(items: JsonSchema): Html {
  const type = typeOf(items)
  return type.text.includes(' | ') ? html`(${type})[]` : html`${type}[]`
}

function joined(parts: readonly Html[], between: string): Piece[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))
}
