// docs/api.md: commands, schemas, events and WebSocket requests, put into a handwritten template.
// `npm run docs:generate` writes it.
import { ERRORS } from '@quayside/protocol'
import {
  eventDataSchemas,
  NOTIFICATIONS,
  replaceNames,
  ROUTES,
  SOCKET_REQUESTS,
} from '@quayside/protocol/schemas'
import type { z } from 'zod'
import { declarationText, nameOf, typeText } from './api-types.js'
import {
  createOpenApi,
  describeSchemas,
  type Entry,
  type JsonSchema,
  type MediaTypes,
  type OpenApi,
  sectionsOf,
} from './openapi.js'

const STYLE = '/api/docs.css'

/** The template has a line such as `<!-- routes -->` for each part. */
export function apiMarkdown(template: string): string {
  const document = createOpenApi('')
  const parts: Readonly<Record<string, () => string>> = {
    routes: () => routesText(document),
    schemas: () => schemasText(document),
    events: () => eventsText(),
    requests: () => requestsText(),
    notifications: () => notificationsText(),
  }
  return template.replaceAll(/^<!-- (\w+) -->$/gm, (line, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`The template has an unknown part: ${line}`)
    return part()
  })
}

function routesText(document: OpenApi): string {
  const routes = ROUTES.filter(({ path }) => path !== STYLE)
  const sections = sectionsOf(document, routes).map(({ name, description, entries }) => {
    const texts = entries.map((entry) => routeText(entry, document))
    return [`### ${name}`, description, ...texts].join('\n\n')
  })
  return sections.join('\n\n')
}

function routeText(entry: Entry, document: OpenApi): string {
  const { route } = entry
  const { method, path, summary, description } = route
  const address = `${method.toUpperCase()} ${replaceNames(path, (name) => `:${name}`)}`
  const access = route.isPublic ? 'Needs no sign-in.' : `Scope: \`${route.scope}\`.`
  const said = description === undefined ? `${summary}.` : `${summary}. ${description}`
  return [`#### \`${address}\``, `${said} ${access}`, facts(entry, document)].join('\n\n')
}

function facts({ route, operation }: Entry, { components }: OpenApi): string {
  const { parameters = [], requestBody, responses } = operation
  const queries = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema, description }) => {
      const is = `\`${name}${required ? '' : '?'}: ${typeText(schema)}\`${defaultText(schema)}`
      return description === undefined ? `- query ${is}` : `- query ${is}: ${description}`
    })
  // The fields of a body are shown, because callers write it; nested schemas only by name.
  const written = (schema: JsonSchema): JsonSchema =>
    (typeof schema['$ref'] === 'string' && components.schemas[nameOf(schema['$ref'])]) || schema
  const body = requestBody ? [`- body ${contentText(requestBody.content, written)}`] : []
  const ends = Object.entries(route.responses).map(([status, answer]) => {
    const { content } = responses[status] ?? {}
    const shape = content ? ` ${contentText(content)}` : ''
    return `- ${status}${shape}: ${answer.description}`
  })
  const codes = route.errors.map((code) => `${ERRORS[code].status} \`${code}\``)
  const failures = codes.length === 0 ? [] : [`- errors ${codes.join(', ')}`]
  return [...queries, ...body, ...ends, ...failures].join('\n')
}

function contentText(content: MediaTypes, look = (schema: JsonSchema) => schema): string {
  const all = Object.entries(content).map(([type, { schema }]) => {
    const is = typeText(look(schema))
    if (type === 'application/json') return `\`${is}\``
    return is === 'unknown' || is === 'string' ? `\`${type}\`` : `\`${is}\` as \`${type}\``
  })
  return [...new Set(all)].join(' or ')
}

function defaultText({ default: value }: JsonSchema): string {
  return value === undefined ? '' : ` (${JSON.stringify(value)} when left out)`
}

/** Events have a section of their own. */
function schemasText({ components }: OpenApi): string {
  const all = Object.entries(components.schemas)
    .filter(([name]) => !name.endsWith('Event'))
    .map(([name, schema]) => declarationText(name, schema))
  return ['```ts', all.join('\n\n'), '```'].join('\n')
}

function eventsText(): string {
  const rows = Object.entries(eventDataSchemas).map(([type, schema]): Row => [
    type,
    schema,
    schema.description ?? '',
  ])
  return table(['type', 'data', 'what happened'], rows)
}

function requestsText(): string {
  const rows = [...SOCKET_REQUESTS].map(([name, { command, params, answer }]): Row => [
    name,
    params,
    answer,
    `\`${command.scope}\``,
  ])
  return table(['request', 'params', 'answer', 'scope'], rows)
}

function notificationsText(): string {
  const rows = Object.entries(NOTIFICATIONS).map(([method, { params, sent }]): Row => [
    method,
    params,
    sent,
  ])
  return table(['notification', 'params', 'sent'], rows)
}

type Row = readonly [name: string, schema: z.ZodType, ...more: string[]]

function table(head: readonly string[], rows: readonly Row[]): string {
  const describe = describeSchemas(new Map(rows.map(([name, schema]) => [schema, name])))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const lines = rows.map(([name, schema, ...more]) =>
    line([`\`${name}\``, `\`${cell(typeText(describe(schema)))}\``, ...more]),
  )
  return [line(head), `|${'---|'.repeat(head.length)}`, ...lines].join('\n')
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`)
}
