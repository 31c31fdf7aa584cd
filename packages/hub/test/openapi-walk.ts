// Requests to a real hub whose answers are validated against the table of commands.
import { type Route, ROUTES } from '@quayside/protocol/schemas'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { TestHub } from './test-hub.js'

type Ask = { readonly body?: unknown; readonly headers?: Record<string, string> }

export class Walk {
  /** The ids of the operations that were called. */
  readonly done = new Set<string>()
  readonly #hub: TestHub

  constructor(hub: TestHub) {
    this.#hub = hub
  }

  /** Sends a request and returns the body, which must match its schema exactly. */
  async ask(operationId: string, path: string, { body, headers }: Ask = {}) {
    const route = ROUTES.find((candidate) => candidate.operationId === operationId)!
    expect(path.split('?')[0]).toMatch(
      new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    )
    checkInput(route, path, body)
    const response = await this.#hub.fetch(path, {
      method: route.method.toUpperCase(),
      ...(body instanceof Buffer
        ? { body, headers: headers! }
        : body === undefined
          ? { headers: headers ?? {} }
          : {
              body: JSON.stringify(body),
              headers: { 'content-type': 'application/json', ...headers },
            }),
    })
    const answer = route.responses[response.status]
    expect(answer, `${operationId} answered ${response.status}: ${path}`).toBeDefined()
    this.done.add(operationId)
    const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]!
    const schema = answer!.content?.[type] ?? answer!.content?.['*/*']
    expect(schema !== undefined || answer!.content === undefined, `${operationId}: ${type}`).toBe(
      true,
    )
    const text = type === 'text/event-stream' ? await firstEvent(response) : await response.text()
    if (schema === undefined) expect(text, operationId).toBe('')
    if (type === 'application/json') return expectToFit(schema!, JSON.parse(text), operationId)
    if (type === 'application/x-ndjson')
      for (const line of text.trim().split('\n'))
        expectToFit(schema!, JSON.parse(line), operationId)
    return text
  }
}

export function expectToFit(schema: z.ZodType, value: unknown, operationId: string): unknown {
  const read = schema.safeParse(value)
  expect(read.error?.issues ?? [], operationId).toEqual([])
  expect(read.data, `${operationId} says more than its schema`).toEqual(value)
  return value
}

/** Every request body must match its schema in the table. */
function checkInput({ query, body: content, operationId }: Route, path: string, body: unknown) {
  const sent = Object.fromEntries(new URL(path, 'http://hub').searchParams)
  if (query) expect(query.safeParse(sent).error, operationId).toBeUndefined()
  else expect(sent, operationId).toEqual({})
  const schema = content?.['application/json']
  if (schema) expect(schema.safeParse(body).error, operationId).toBeUndefined()
}

async function firstEvent(response: Response): Promise<string> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes('\ndata: ')) break
  }
  return text
}
