// JSON Schemas as people read them: a type in one line, and the fields of an object as a list.
import { type Html, html, prose } from '@quayside/protocol'
import { type Field, fieldsOf, typeText, unionOf } from './api-types.js'
import type { JsonSchema } from './openapi.js'

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
