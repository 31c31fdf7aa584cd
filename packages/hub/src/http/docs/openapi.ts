// The OpenAPI 3.1 document, made from the table of commands and its zod schemas.
import { ERRORS, type ErrorCode } from '@quayside/protocol'
import * as schemas from '@quayside/protocol/schemas'
import { type Content, errorsOf, type Route, ROUTE_TAGS, ROUTES } from '@quayside/protocol/schemas'
import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>
export type MediaTypes = Readonly<Record<string, { readonly schema: JsonSchema }>>
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly explode?: false
}
export type ResponseObject = {
  readonly description: string
  readonly content?: MediaTypes
  /** Of an error: the codes that have this status here. */
  readonly 'x-error-codes'?: readonly ErrorCode[]
}
export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: MediaTypes }
  readonly responses: Readonly<Record<string, ResponseObject>>
  /** Empty for public routes; else the scope that is needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}
export type OpenApi = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>
  }
}

const REF = '#/components/schemas/'
const HEAD: ReadonlySet<string> = new Set(['$schema', '$id'])
const DESCRIPTION = `Sessions of coding agents over HTTP. Bodies are JSON; times are ISO 8601, except in events and items (\`at\`, milliseconds since 1970). Errors are always \`{ "error": { "code", "message", "details" } }\`: switch on \`code\`. Answers grow new fields; ignore those you do not know. The WebSocket \`/ws\` has the same commands and is described in docs/api.md.`

/** Kinds of a union get names of their own, such as `TurnEndedEvent`. */
const UNIONS = {
  Event: schemas.sessionEventSchema,
  ContentBlock: schemas.contentBlockSchema,
  Item: schemas.itemSchema,
  MessageContent: schemas.messageContentSchema,
} as const

export function createOpenApi(version: string, routes: readonly Route[] = ROUTES): OpenApi {
  const names = nameSchemas()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method] = toOperation(route, names)
  return {
    openapi: '3.1.1',
    info: { title: 'Quayside', version, description: DESCRIPTION },
    tags: Object.entries(ROUTE_TAGS).map(([name, description]) => ({ name, description })),
    security: [{ cookie: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: onlyUsed(paths, toComponents(names)),
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'quayside_4444',
          description: 'Set by `POST /api/login`. Its name ends with the port of the hub.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of `POST /api/tokens`, with the scope `read`, `write` or `admin`; or the one that was given to the hub as `QUAYSIDE_TOKEN`, which may do everything.',
        },
      },
    },
  }
}

/** The routes as docs/api.md and the page show them, by tag. */
export function sectionsOf({ paths }: OpenApi, routes: readonly Route[]) {
  const entries = routes.flatMap((route) => {
    const operation = paths[route.path]?.[route.method]
    return operation ? [{ route, operation }] : []
  })
  return Object.entries(ROUTE_TAGS).map(([name, description]) => {
    return { name, description, entries: entries.filter(({ route }) => route.tag === name) }
  })
}
export type Section = ReturnType<typeof sectionsOf>[number]
export type Entry = Section['entries'][number]

/** The schemas of the document, and others with names of their own in the same terms. */
export function describeSchemas(more: SchemaNames): (schema: z.ZodType) => JsonSchema {
  const names = new Map([...more, ...nameSchemas()])
  const schemas = toComponents(names)
  return (schema) => schemas[names.get(schema) ?? ''] ?? toJsonSchema(schema, 'input')
}

type SchemaNames = ReadonlyMap<z.ZodType, string>

/** By what the entry `@quayside/protocol/schemas` calls them: `sessionListSchema` is `SessionList`. */
function nameSchemas(): SchemaNames {
  const names = new Map<z.ZodType, string>()
  for (const [name, schema] of Object.entries(schemas))
    if (schema instanceof z.ZodType && name.endsWith('Schema'))
      names.set(schema, pascal(name.slice(0, -'Schema'.length)))
  for (const [suffix, { options }] of Object.entries(UNIONS))
    for (const option of options) names.set(option, `${pascal(option.shape.type.value)}${suffix}`)
  return names
}

function toComponents(names: SchemaNames): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const uri = (id: string): string => `${REF}${id}`
  const { schemas: made } = z.toJSONSchema(registry, { ...OPTIONS, uri })
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, withoutHead(schema)]))
}

/** Input, also for answers: output schemas would forbid the fields that a newer hub adds. */
const OPTIONS = { io: 'input', unrepresentable: 'any', override: tidy } as const

function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.propertyNames
}

function toOperation(route: Route, names: SchemaNames): Operation {
  const { operationId, tag, summary, description, body } = route
  const parameters = [...pathParameters(route), ...queryParameters(route)]
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body && { requestBody: { required: true, content: toMediaTypes(body, names) } }),
    responses: { ...toResponses(route, names), ...toErrors(route) },
    security: route.isPublic ? [] : [{ cookie: [route.scope] }, { bearer: [route.scope] }],
  }
}

function toResponses(route: Route, names: SchemaNames): Record<string, ResponseObject> {
  const responses = Object.entries(route.responses).map(([status, { description, content }]) => [
    status,
    { description, ...(content && { content: toMediaTypes(content, names) }) },
  ])
  return Object.fromEntries(responses) as Record<string, ResponseObject>
}

function toErrors(route: Route): Record<string, ResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(route)) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: `${REF}ErrorBody` } } }
  const responses = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n')
    return [status, { description, content, 'x-error-codes': codes }]
  })
  return Object.fromEntries(responses) as Record<string, ResponseObject>
}

function toMediaTypes(content: Content, names: SchemaNames): MediaTypes {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => {
      const name = names.get(schema)
      const inline = name === undefined ? toJsonSchema(schema, 'input') : { $ref: `${REF}${name}` }
      return [type, { schema: inline }]
    }),
  )
}

function pathParameters({ params = {} }: Route): Parameter[] {
  return Object.entries(params).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Route): Parameter[] {
  if (query === undefined) return []
  const sent = toJsonSchema(query, 'input')
  const read = toJsonSchema(query, 'output')
  const required = (sent['required'] ?? []) as readonly string[]
  return Object.keys(query.shape).map((name) => {
    const { description, ...schema } = toParameterSchema(
      propertyOf(sent, name),
      propertyOf(read, name),
    )
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
      schema,
      ...(schema['type'] === 'array' && { explode: false }),
    }
  })
}

/** Everything in a query is text; what it stands for, a number or a list, says more. */
function toParameterSchema(sent: JsonSchema, read: JsonSchema): JsonSchema {
  if (read['type'] === 'number') return { ...read, type: 'integer' }
  return read['type'] === 'integer' || read['type'] === 'array' ? read : sent
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  return (schema['properties'] as Readonly<Record<string, JsonSchema>>)[name] ?? {}
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return withoutHead(z.toJSONSchema(schema, { ...OPTIONS, io }))
}

/** Of a schema that stands alone; in the document it does not. */
function withoutHead(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !HEAD.has(name)))
}

function onlyUsed(paths: unknown, all: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (used.has(name)) continue
      used.add(name)
      follow(all[name])
    }
  }
  follow(paths)
  const entries = Object.entries(all).filter(([name]) => used.has(name))
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b)))
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
