// The OpenAPI document is valid, and the running hub has exactly the routes, gates and errors that it lists.
import { readFileSync } from 'node:fs'
import {
  errorBodySchema,
  errorsOf,
  eventDataSchemas,
  NOTIFICATIONS,
  type Route,
  ROUTES,
  SOCKET_REQUESTS,
} from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { apiMarkdown } from '../src/http/docs/api-markdown.js'
import { docsPage } from '../src/http/docs/docs-page.js'
import { createOpenApi, type OpenApi } from '../src/http/docs/openapi.js'
import { addressOf, httpSources, problemsOf, routesBesideTheTable } from './openapi-document.js'
import { startTestHub, type TestHub } from './test-hub.js'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PHANTOM: Route = {
  name: 'hub/phantom',
  rest: 'GET /api/phantom/{id}',
  method: 'get',
  path: '/api/phantom/{id}',
  operationId: 'phantom',
  tag: 'Hub',
  summary: 'Nobody serves this',
  params: { id: 'Any.' },
  scope: 'read',
  responses: { 200: { description: 'Never.' } },
  errors: [],
}

let hub: TestHub
let mediaId: string
beforeAll(async () => {
  hub = await startTestHub()
  const headers = { 'content-type': 'image/png' }
  const stored = await hub.fetch('/api/media', { method: 'POST', headers, body: PNG })
  mediaId = ((await stored.json()) as { id: string }).id
})
afterAll(() => hub[Symbol.asyncDispose]())

test('the document is sound', () => {
  const document = createOpenApi('1.2.3')
  expect(problemsOf(document)).toEqual([])
  expect(document.info.version).toBe('1.2.3')
  expect(Object.keys(document.components.schemas).length).toBeGreaterThan(50)
  expect(JSON.stringify(document)).not.toContain('$schema')
})

test('the checks see a planted mistake', () => {
  const { paths, ...rest } = createOpenApi('1')
  const { get: health } = paths['/api/health']!
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Nothing' } } }
  const broken = {
    ...health!,
    responses: { 404: { description: 'x', content, 'x-error-codes': ['queue_full' as const] } },
  }
  const planted: OpenApi = { ...rest, paths: { ...paths, '/api/{x}': { get: broken } } }
  expect(problemsOf(planted)).toEqual([
    'getHealth is there twice',
    '#/components/schemas/Nothing leads nowhere',
    'get /api/{x}: has no success',
    'get /api/{x}: path parameters differ',
    'get /api/{x}: queue_full is not 404',
  ])
})

test('no source registers a route beside the table', () => {
  expect(routesBesideTheTable(httpSources())).toEqual([])
})

test('a route beside the table is seen', () => {
  const planted = {
    file: 'planted.ts',
    text: "export function plantedRoutes() {\n  routes.get('/:id/secret', x)\n  app.post(`/odd`, x)\n  routes[method](at, x)\n}",
  }
  expect(routesBesideTheTable([planted])).toEqual([
    "planted.ts: routes.get('/:id/secret', x)",
    'planted.ts: app.post(`/odd`, x)',
    'planted.ts: routes[method](at, x)',
  ])
})

test('the hub has every route of the table, and fails only as documented', async () => {
  expect(await phantoms(ROUTES)).toEqual([])
})

test('a phantom route is seen', async () => {
  expect(await phantoms([PHANTOM])).toEqual(['get /api/phantom/{id}'])
})

test('a route that is not public requires a sign-in', async () => {
  for (const route of ROUTES) {
    const response = await fetch(`${hub.hub.address}${sample(route)}`, sampleRequest(route))
    const closed = response.status === 401
    expect(closed, addressOf(route)).toBe(route.isPublic !== true)
    await response.body?.cancel()
  }
})

test('the hub serves the document, and a page made from it that needs nothing else', async () => {
  const document = await hub.get<OpenApi>('/api/openapi.json')
  const { version } = await hub.get<{ version: string }>('/api/health')
  expect(document).toEqual(JSON.parse(JSON.stringify(createOpenApi(version))))
  const response = await hub.fetch('/api/docs')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const page = await response.text()
  expect(page).toBe(docsPage(createOpenApi(version)))
  expect(page).not.toMatch(/<script|<style|style=|https?:\/\/(?!localhost)|undefined|\[object/)
  for (const { operationId } of ROUTES) expect(page).toContain(`id="${operationId}"`)
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)
  expect(links.filter((id) => !page.includes(`id="${id}"`))).toEqual([])
  const style = await hub.fetch('/api/docs.css')
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('all text of a document is escaped on the page', () => {
  const hostile = '<img src=x onerror=alert(1)>"\'&`<b>`'
  const route: Route = {
    ...PHANTOM,
    summary: hostile,
    description: hostile,
    params: { id: hostile },
    query: z.object({ '<q>': z.enum(['<e>', '"']).describe(hostile) }),
  }
  const page = docsPage(createOpenApi(hostile, [route]), [route])
  expect(page).not.toMatch(/<img|<b>|<q>|<e>/)
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;<code>&lt;b&gt;</code>')
})

test('docs/api.md equals the output of its generator; else run npm run docs:generate', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const template = read('scripts/api.template.md')
  expect(read('docs/api.md')).toBe(apiMarkdown(template))
  expect(() => apiMarkdown('<!-- nothing -->')).toThrow('unknown part')
})

test('docs/api.md has every route, event, WebSocket request and notification', () => {
  const parts = ['routes', 'events', 'requests', 'notifications']
  const text = apiMarkdown(parts.map((part) => `<!-- ${part} -->`).join('\n'))
  const headings = [...text.matchAll(/^#### `(\w+) (\S+)`$/gm)].map(
    ([, method = '', path = '']) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  const routes = ROUTES.filter(({ path }) => path !== '/api/docs.css').map(addressOf)
  expect(headings.toSorted()).toEqual(routes.toSorted())
  const tables = [eventDataSchemas, Object.fromEntries(SOCKET_REQUESTS), NOTIFICATIONS]
  for (const name of tables.flatMap((table) => Object.keys(table)))
    expect(text).toContain(`| \`${name}\` | \`{`)
  expect(text).not.toMatch(/undefined|\[object/)
})

/** Routes of the table that the hub does not have, or that fail with an undocumented error. */
async function phantoms(routes: readonly Route[]): Promise<string[]> {
  const found: string[] = []
  for (const route of routes) {
    const response = await hub.fetch(sample(route), sampleRequest(route))
    const problem = await whyUnexpected(route, response)
    if (problem !== undefined) found.push(problem)
  }
  return found
}

async function whyUnexpected(route: Route, response: Response): Promise<string | undefined> {
  if (response.ok) {
    await response.body?.cancel()
    return route.responses[response.status] ? undefined : `${addressOf(route)}: ${response.status}`
  }
  const { error } = errorBodySchema.parse(await response.json())
  if (error.code === 'not_found') return addressOf(route)
  const isKnown = errorsOf(route).some((code) => code === error.code)
  return isKnown ? undefined : `${addressOf(route)}: ${error.code}`
}

function sample({ path }: Route): string {
  return path.replace('/media/{id}', `/media/${mediaId}`).replaceAll(/\{\w+\}/g, 'none')
}

/** Valid JSON that every schema refuses, so that the request changes nothing. */
function sampleRequest({ method, body }: Route): RequestInit {
  const headers = { 'content-type': 'application/json' }
  const isSent = body !== undefined && body['application/json'] !== undefined
  return { method: method.toUpperCase(), ...(isSent && { headers, body: '{}' }) }
}
