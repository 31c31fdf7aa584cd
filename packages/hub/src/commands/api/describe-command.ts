// The table of commands as text for a terminal: all of them, or one with its input, answers and errors.
import { ERRORS } from '@quayside/protocol'
import {
  errorsOf,
  parseAddress,
  REST_COMMANDS,
  type Route,
  ROUTE_TAGS,
  ROUTES,
  SOCKET_REQUESTS,
} from '@quayside/protocol/schemas'
import {
  declarationText,
  type Field,
  fieldsOf,
  fieldText,
  nameOf,
  typeText,
} from '../../http/docs/api-types.js'
import { createOpenApi, type JsonSchema, type Operation } from '../../http/docs/openapi.js'

/** By tag, with their summaries. */
export function listCommands(): string {
  const width = Math.max(...ROUTES.map(({ name }) => name.length))
  const sections = Object.keys(ROUTE_TAGS).map((title) => {
    const routes = ROUTES.filter(({ tag }) => tag === title)
    const lines = routes.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`)
    return `${title}\n${lines.join('')}\n`
  })
  return `${sections.join('')}Over the WebSocket only: ${socketNames().join(', ')}\n`
}

/** Commands without a REST address. */
export function socketNames(): readonly string[] {
  return [...SOCKET_REQUESTS.keys()].filter((name) => !REST_COMMANDS.has(name))
}

export function describeCommand(route: Route): string {
  const { name, summary, description, rest, isPublic, scope } = route
  const { paths, components } = createOpenApi('', [route])
  const operation = paths[route.path]?.[route.method] ?? { responses: {} }
  const find = (schema: JsonSchema) => components.schemas[refOf(schema) ?? ''] ?? schema
  const codes = new Set([...route.errors, ...errorsOf(route)])
  const errors = [...codes].map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].message}`)
  const answers = answersOf(route, operation)
  const types = new Set(
    answers.flatMap(({ schemas }) => schemas.flatMap((one) => refOf(one) ?? [])),
  )
  return [
    `${name}: ${summary}\n`,
    description === undefined ? '' : `\n${description}\n`,
    `\n${rest} (${isPublic ? 'no sign-in' : `scope ${scope}`})\n`,
    section('Input', inputsOf(route, operation, find).map(inputLine)),
    section(
      'Answers',
      answers.map(({ line }) => line),
    ),
    section('Errors', errors),
    ...[...types].map((type) => `\n${declarationText(type, components.schemas[type] ?? {})}\n`),
  ].join('')
}

type Described = Pick<Operation, 'parameters' | 'requestBody' | 'responses'>

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** The names in the path, the query and the body: the fields of one object. */
function inputsOf(
  { rest, params = {} }: Route,
  { parameters = [], requestBody }: Described,
  find: (schema: JsonSchema) => JsonSchema,
): readonly Field[] {
  const explained = Object.values(params)
  const names = parseAddress(rest).names.map((name, place) => {
    return { name, required: true, schema: { type: 'string', description: explained[place] } }
  })
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema, description }) => {
      return { name, required, schema: { ...schema, description } }
    })
  const body = requestBody?.content['application/json']?.schema
  return [...names, ...query, ...(body ? fieldsOf(find(body)) : [])]
}

function inputLine(field: Field): string {
  const { description } = field.schema
  return typeof description === 'string' ? `${fieldText(field)}  ${description}` : fieldText(field)
}

function answersOf({ responses }: Route, operation: Described) {
  return Object.entries(responses).map(([status, { description }]) => {
    const content = Object.entries(operation.responses[status]?.content ?? {})
    const shapes = content.map(([type, { schema }]) =>
      type === 'application/json' ? typeText(schema) : type,
    )
    const line = [status, shapes.join(' or '), description].filter((part) => part !== '')
    return { line: line.join('  '), schemas: content.map(([, { schema }]) => schema) }
  })
}

function refOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? nameOf($ref) : undefined
}
