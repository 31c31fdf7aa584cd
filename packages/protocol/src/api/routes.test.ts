// The table of routes is sound in itself: unique, complete, and its schemas agree with the types clients use.
import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { ERRORS } from './error-codes.js'
import type { Item } from '../index.js'
import { type itemSchema, errorsOf, ROUTES } from '../schemas.js'

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

test('notes on a query speak of fields that it has', () => {
  for (const { path, query, queryNotes } of ROUTES)
    expect(Object.keys(query?.shape ?? {}), path).toEqual(
      expect.arrayContaining(Object.keys(queryNotes ?? {})),
    )
})

test('every route answers, and fails only with codes that exist', () => {
  for (const route of ROUTES) {
    const statuses = Object.keys(route.answers).map(Number)
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

test('what is read takes no body, and only what is open needs no sign-in', () => {
  for (const route of ROUTES) {
    if (route.method === 'get') expect(route.body, route.path).toBeUndefined()
    expect(errorsOf(route).includes('unauthorized'), route.path).toBe(route.path !== '/api/health')
  }
  const open = ROUTES.filter(({ isOpen }) => isOpen).map(({ path }) => path)
  expect(open).toEqual(['/api/health', '/api/login'])
})

test('the schema of a timeline agrees with the items of a transcript', () => {
  type Frozen<Value> = Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value
  type Answered = Frozen<z.output<typeof itemSchema>>
  expectTypeOf<Answered>().toExtend<Item>()
  expectTypeOf<Item>().toExtend<Answered>()
})
