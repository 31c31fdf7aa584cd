// A model on loopback that speaks the Gemini API: real agents run against it with answers from the test.
// Each request that carries tools takes the next queued reply; an agent's side questions get a fixed one.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One piece of a reply and one chunk of the stream; `until` keeps the stream open until its promise settles. */
export type ReplyPart =
  | { readonly thought: string }
  | { readonly text: string }
  | { readonly call: { readonly name: string; readonly args: Readonly<Record<string, unknown>> } }
  | { readonly until: Promise<unknown> }

/** The model's reply to one request, or an HTTP error. */
export type Reply = readonly ReplyPart[] | { readonly status: number; readonly message: string }

export type ModelRequest = {
  readonly model: string
  readonly method: string
  /** The conversation so far, as the agent sends it. */
  readonly contents: readonly Content[]
  /** The names of the tools the agent offers. */
  readonly tools: readonly string[]
  /** Resolves when the connection of this request has ended: answered in full, or closed by the agent. */
  readonly closed: Promise<'answered' | 'aborted'>
}

type Content = { readonly role?: string; readonly parts?: readonly ContentPart[] }
type ContentPart = {
  readonly text?: string
  readonly functionResponse?: { readonly name: string; readonly response: unknown }
}
type Body = {
  readonly contents?: readonly Content[]
  readonly tools?: readonly { functionDeclarations?: readonly { name: string }[] }[]
}
type WirePart = Readonly<Record<string, unknown>>

const METHOD = /\/models\/([^/:]+):(\w+)$/
const SIDE_REPLY: Reply = [{ text: '{}' }]
const NO_REPLY: Reply = { status: 400, message: 'The test has queued no reply for this request.' }

export class ModelServer implements AsyncDisposable {
  readonly requests: ModelRequest[] = []
  readonly #server: Server
  readonly #queue: Reply[] = []
  #answerTo: (request: ModelRequest) => Reply = () => NO_REPLY

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  static async start(): Promise<ModelServer> {
    const model = new ModelServer()
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve))
    return model
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Queues replies: one for the prompt, one more for each round of tool results that follows. */
  next(...replies: Reply[]): void {
    this.#queue.push(...replies)
  }

  /** The reply to a request when none is queued. */
  answerBy(answerTo: (request: ModelRequest) => Reply): void {
    this.#answerTo = answerTo
  }

  /** Clears queued replies and recorded requests. */
  reset(): void {
    this.#queue.length = 0
    this.requests.length = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, model, method] = METHOD.exec(new URL(incoming.url ?? '/', this.url).pathname) ?? []
    if (model === undefined || method === undefined) return sendError(response, 404, 'Unknown path')
    const { contents = [], tools = [] } = JSON.parse(await text(incoming)) as Body
    const names = tools.flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name)
    const closed = whenClosed(response)
    const request = { model, method, contents, tools: names, closed }
    this.requests.push(request)
    if (method === 'countTokens') return sendJson(response, 200, { totalTokens: 1 })
    const reply = names.length === 0 ? SIDE_REPLY : (this.#queue.shift() ?? this.#answerTo(request))
    if ('status' in reply) return sendError(response, reply.status, reply.message)
    if (method === 'streamGenerateContent') return stream(response, model, reply)
    return sendJson(response, 200, chunkOf(model, reply.flatMap(wirePart), true))
  }
}

/** The tool results in a request: those of its last entry. */
export function toolResults({ contents }: ModelRequest): readonly unknown[] {
  const parts = contents.at(-1)?.parts ?? []
  return parts.flatMap(({ functionResponse }) => functionResponse?.response ?? [])
}

async function stream(
  response: ServerResponse,
  model: string,
  reply: readonly ReplyPart[],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [index, part] of reply.entries()) {
    if ('until' in part) await part.until
    if (response.destroyed) return
    const isLast = index === reply.length - 1
    if ('until' in part && !isLast) continue
    response.write(`data: ${JSON.stringify(chunkOf(model, wirePart(part), isLast))}\r\n\r\n`)
    // One chunk on the wire each: written together they would arrive together.
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

function chunkOf(model: string, parts: readonly WirePart[], isLast: boolean): unknown {
  const finish = isLast ? { finishReason: 'STOP' } : {}
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...finish }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 },
    modelVersion: model,
  }
}

function wirePart(part: ReplyPart): WirePart[] {
  if ('thought' in part) return [{ text: part.thought, thought: true }]
  if ('text' in part) return [{ text: part.text }]
  if ('call' in part) return [{ functionCall: part.call }]
  return []
}

function whenClosed(response: ServerResponse): Promise<'answered' | 'aborted'> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'answered' : 'aborted'))
  })
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { code: status, message, status: 'SCRIPTED' } })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
