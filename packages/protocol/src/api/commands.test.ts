// The table of commands is sound in itself: unique, complete, and its types are those that clients and functions use.
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { CallInput, CallOutput, PromptAccepted, SocketInput, SocketOutput } from '../index.js'
import * as schemas from '../schemas.js'
import {
  type Commands,
  errorsOf,
  type Handlers,
  REST_COMMANDS,
  ROUTES,
  SOCKET_REQUESTS,
} from '../schemas.js'
import { parseAddress } from './address.js'
import { paramsOf } from './command.js'
import { ERRORS } from './error-codes.js'

test('a command without a scope does not compile', () => {
  const wanted = { body: z.strictObject({}), rpc: { answer: 'x' } }
  const complete = { x: { ...wanted, scope: 'read' } } satisfies Commands
  // @ts-expect-error A command has a scope.
  const forgotten = { x: wanted } satisfies Commands
  expect(Object.keys(complete)).toEqual(Object.keys(forgotten))
})

test('a command of REST without an address does not compile', () => {
  const { rest, ...wanted } = wantedOf('x')
  const inputs = { body: z.strictObject({}), rpc: { answer: 'x' } }
  const complete = { x: { rest, ...wanted, ...inputs } } satisfies Commands
  // @ts-expect-error A command with a `summary` has an address.
  const forgotten = { x: { ...wanted, ...inputs } } satisfies Commands
  expect(Object.keys(complete)).toEqual(Object.keys(forgotten))
})

test('functions and clients are typed by the table', () => {
  const table = {
    'session/prompt': { ...wantedOf('prompt'), body: z.strictObject({ text: z.string() }) },
  } satisfies Commands
  type Prompt = 'session/prompt'
  type Handler = Handlers<typeof table, { by: string }>['session/prompt']
  expectTypeOf<Parameters<Handler>[0]>().toEqualTypeOf<{
    readonly sessionId: string
    text: string
  }>()
  expectTypeOf<CallOutput<Prompt>>().toEqualTypeOf<PromptAccepted>()
  expectTypeOf<CallInput<'session/list'>['limit']>().toEqualTypeOf<string | number | undefined>()
  expectTypeOf<{ text: string }>().not.toExtend<CallInput<Prompt>>()
})

test('requests of the WebSocket are typed by the table', () => {
  expectTypeOf<SocketInput<'session/delete'>>().toEqualTypeOf<{
    readonly sessionId: string
    readonly purge?: boolean | undefined
  }>()
  expectTypeOf<SocketInput<'page/visible'>>().toEqualTypeOf<{ readonly visible: boolean }>()
  expectTypeOf<SocketOutput<'session/follow'>['lastSeq']>().toEqualTypeOf<number>()
})

test('over the WebSocket a command takes the fields of its query, as JSON', () => {
  const listed = { ...wantedOf('list'), rest: 'GET /api/sessions' } as const
  const query = z.strictObject({ limit: z.string().transform(Number) })
  const complete = {
    x: { ...listed, query, rpc: { answer: 'x', query: { limit: z.int() } } },
  } satisfies Commands
  // @ts-expect-error The fields of a query string are texts, so `rpc` says what they are in JSON.
  const forgotten = { x: { ...listed, query, rpc: { answer: 'x' } } } satisfies Commands
  expect(paramsOf(complete.x).parse({ limit: 5 })).toEqual({ limit: 5 })
  expect(Object.keys(complete)).toEqual(Object.keys(forgotten))
})

test('an address has a method, a path and names', () => {
  expect(parseAddress('PUT /api/sessions/{sessionId}/options/{optionId}')).toEqual({
    method: 'put',
    path: '/api/sessions/{sessionId}/options/{optionId}',
    names: ['sessionId', 'optionId'],
  })
})

function wantedOf(operationId: string) {
  const rest = 'POST /api/sessions/{sessionId}/prompt'
  return { rest, operationId, scope: 'read', summary: 'x', errors: [] } as const
}

test('the table has the commands of every room', () => {
  const rooms = Object.entries(schemas).filter(([name]) => name.endsWith('Commands'))
  const declared = rooms.flatMap(([, room]) => Object.keys(room))
  const served = new Set([...REST_COMMANDS.keys(), ...SOCKET_REQUESTS.keys()])
  expect([...served].toSorted()).toEqual(declared.toSorted())
})

test('no two routes share an address or an operation id', () => {
  const addresses = ROUTES.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(addresses).size).toBe(ROUTES.length)
  expect(new Set(ROUTES.map(({ operationId }) => operationId)).size).toBe(ROUTES.length)
})

test('every name in a path is explained, and nothing else is', () => {
  for (const { path, params } of ROUTES) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(params ?? {}), path).toEqual(names)
  }
})

test('every route answers, and fails only with codes that exist', () => {
  for (const route of ROUTES) {
    const statuses = Object.keys(route.responses).map(Number)
    expect(
      statuses.some((status) => status < 300),
      route.path,
    ).toBe(true)
    // Answers without a body that HTTP itself knows; everything else that fails has a code.
    const others = statuses.filter((status) => status >= 300)
    expect([[], [304, 416]], route.path).toContainEqual(others)
    for (const code of errorsOf(route)) expect(Object.keys(ERRORS), route.path).toContain(code)
  }
})

test('a read takes no body, and only public routes need no sign-in', () => {
  for (const route of ROUTES) {
    if (route.method === 'get') expect(route.body, route.path).toBeUndefined()
    expect(errorsOf(route).includes('unauthorized'), route.path).toBe(route.path !== '/api/health')
  }
  const open = ROUTES.filter(({ isPublic }) => isPublic).map(({ path }) => path)
  expect(open).toEqual(['/api/health', '/api/login'])
})
