// A minimal ACP client for tests: speaks JSON lines with an agent in this process, or with a child (agent-child.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Readable, Writable } from 'node:stream'
import type {
  ClientCapabilities,
  InitializeResponse,
  McpServer,
  NewSessionResponse,
  PromptResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { serve } from '../src/serve.ts'
import { readSettings } from '../src/settings.ts'
import type { Sleep } from '../src/turn.ts'

const DEADLINE_MS = 30_000
const SHOWN_MESSAGES = 10
const SHOWN_CHARS = 200

export interface Message {
  id?: number | string | null
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

export interface AgentRequest {
  readonly id: Message['id']
  readonly params: Record<string, unknown>
  answer(result: unknown): void
  fail(error: { code: number; message: string }): void
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface StartOptions {
  env?: Record<string, string>
  capabilities?: ClientCapabilities
}

export interface AgentStreams {
  readonly stdin: Writable
  readonly stdout: Readable
}

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message)
  }
}

/** Serves an agent without pauses in this process and initializes it. */
export async function startAgent(options: StartOptions & { sleep?: Sleep } = {}) {
  const { env, capabilities, sleep } = options
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const settings = readSettings({ QUAYSIDE_DEMO_PACE: '0', ...env })
  const served = serve({ settings, input: stdin, output: stdout, ...(sleep && { sleep }) })
  const ended = served.finally(() => stdout.end())
  const agent = new AgentClient({ stdin, stdout }, ended)
  await agent.initialize(capabilities)
  return agent
}

export class AgentClient implements AsyncDisposable {
  readonly messages: Message[] = []
  /** Lines that are not JSON. */
  readonly junkLines: string[] = []
  /** The bytes of each read. For an agent in this process, one entry per write. */
  readonly reads: Buffer[] = []
  initialized!: InitializeResponse
  /** Resolves when the agent has ended and all its output is read; then its folders are removed. */
  readonly gone: Promise<void>
  /** The error of a failed write to the agent's stdin. */
  inputError: Error | undefined
  readonly #streams: AgentStreams
  readonly #pending = new Map<number, Waiting>()
  readonly #taken = new WeakSet<Message>()
  readonly #watchers = new Set<() => void>()
  #folder: string | undefined
  #lastId = 0

  constructor(streams: AgentStreams, ended: Promise<unknown>) {
    this.#streams = streams
    const { stdin, stdout } = streams
    stdout.on('data', (bytes: Buffer) => this.reads.push(bytes))
    const lines = createInterface({ input: stdout }).on('line', (line) => this.#receiveLine(line))
    stdin.on('error', (error) => (this.inputError = error))
    const isRead = new Promise((resolve) => lines.once('close', resolve))
    this.gone = Promise.all([ended, isRead]).then(() => this.#leave())
  }

  async initialize(capabilities: ClientCapabilities = {}) {
    const params = { protocolVersion: 1, clientCapabilities: capabilities }
    this.initialized = (await this.request('initialize', params)) as InitializeResponse
  }

  /** The text of all reads, starting with the given one. */
  textFrom(read: number): string {
    return Buffer.concat(this.reads.slice(read)).toString('utf8')
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId
    const response = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return this.inTime(response, `the response to ${method}`)
  }

  notify(method: string, params: unknown) {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }

  write(...lines: string[]) {
    this.#streams.stdin.write(lines.map((line) => `${line}\n`).join(''))
  }

  /** Stops reading, like a busy client. */
  setReading(isReading: boolean) {
    if (isReading) this.#streams.stdout.resume()
    else this.#streams.stdout.pause()
  }

  endInput() {
    this.#streams.stdin.end()
  }

  /** A folder that is removed with this client. */
  newFolder(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'quayside-demo-'))
    return mkdtempSync(join(this.#folder, 'folder-'))
  }

  async newSession(cwd = this.newFolder(), mcpServers: McpServer[] = []): Promise<TestSession> {
    const params = { cwd, mcpServers }
    const response = (await this.request('session/new', params)) as NewSessionResponse
    const session = new TestSession(this, cwd, response)
    // They follow the response, and would otherwise be among the updates of the first prompt.
    await session.untilUpdate('available_commands_update')
    return session
  }

  /** The first past or future message for which `find` returns a value. */
  async until<Found>(find: (message: Message) => Found | undefined): Promise<Found> {
    let next = 0
    const found = new Promise<Found>((resolve) => {
      const look = () => {
        while (next < this.messages.length) {
          const here = find(this.messages[next++]!)
          if (here === undefined) continue
          this.#watchers.delete(look)
          resolve(here)
          return
        }
      }
      this.#watchers.add(look)
      look()
    })
    return this.inTime(found, `a message for ${find.toString()}`)
  }

  /** The next request of that method and session; each is returned once. */
  async untilRequest(method: string, sessionId: string): Promise<AgentRequest> {
    return this.until((message) => {
      if (message.method !== method || message.params?.['sessionId'] !== sessionId) return undefined
      if (this.#taken.has(message)) return undefined
      this.#taken.add(message)
      const reply = (rest: object) =>
        this.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...rest }))
      return {
        id: message.id,
        params: message.params ?? {},
        answer: (result: unknown) => reply({ result }),
        fail: (error: object) => reply({ error }),
      }
    })
  }

  updatesOf(sessionId: string, from = 0, end = this.messages.length): SessionUpdate[] {
    return this.messages
      .slice(from, end)
      .filter(
        ({ method, params }) => method === 'session/update' && params?.['sessionId'] === sessionId,
      )
      .map(({ params }) => params?.['update'] as SessionUpdate)
  }

  async [Symbol.asyncDispose]() {
    this.endInput()
    await this.inTime(this.gone, 'the end of the agent')
  }

  /** Rejects after the deadline with the last messages of the agent. */
  inTime<Result>(work: Promise<Result>, what: string): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const last = this.messages.slice(-SHOWN_MESSAGES)
        const seen = last.map((message) => JSON.stringify(message).slice(0, SHOWN_CHARS))
        reject(new Error(`${what} did not come in ${DEADLINE_MS} ms; seen: ${seen.join('\n')}`))
      }, DEADLINE_MS)
    })
    return Promise.race([work, late]).finally(() => clearTimeout(timer))
  }

  #leave() {
    for (const { reject } of this.#pending.values()) reject(new Error('The agent is gone'))
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
  }

  #receiveLine(line: string) {
    let parsed: Message | Message[]
    try {
      parsed = JSON.parse(line.replace(/^\uFEFF/, '')) as Message | Message[]
    } catch {
      this.junkLines.push(line)
      return
    }
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.#receive(message)
  }

  #receive(message: Message) {
    this.messages.push(message)
    const waiting = message.method === undefined ? this.#pending.get(Number(message.id)) : undefined
    if (waiting) this.#pending.delete(Number(message.id))
    const { error } = message
    if (error) waiting?.reject(new RpcError(error.code, error.message, error.data))
    else waiting?.resolve(message.result)
    for (const look of this.#watchers) look()
  }
}

export class TestSession {
  readonly id: string

  constructor(
    readonly agent: AgentClient,
    readonly cwd: string,
    readonly opened: NewSessionResponse,
  ) {
    this.id = opened.sessionId
  }

  /** Runs a whole turn: its response, its updates, and its text. */
  async prompt(text: string) {
    const from = this.agent.messages.length
    const response = await this.startPrompt(text)
    const updates = this.agent.updatesOf(this.id, from)
    return { response, updates, text: textOf(updates, 'agent_message_chunk') }
  }

  async startPrompt(text: string): Promise<PromptResponse> {
    const prompt = [{ type: 'text', text }]
    return (await this.agent.request('session/prompt', {
      sessionId: this.id,
      prompt,
    })) as PromptResponse
  }

  cancel() {
    this.agent.notify('session/cancel', { sessionId: this.id })
  }

  async untilRequest(method: string): Promise<AgentRequest> {
    return this.agent.untilRequest(method, this.id)
  }

  async untilUpdate(kind: SessionUpdate['sessionUpdate']): Promise<SessionUpdate> {
    return this.agent.until(({ params }) => {
      if (params?.['sessionId'] !== this.id) return undefined
      const update = params['update'] as SessionUpdate | undefined
      return update?.sessionUpdate === kind ? update : undefined
    })
  }
}

export function textOf(updates: SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string {
  // Unvalidated, so fields that the types promise may be missing.
  const chunks = updates as ({
    sessionUpdate?: string
    content?: { text?: string } | null
  } | null)[]
  return chunks
    .map((chunk) => (chunk?.sessionUpdate === kind ? (chunk.content?.text ?? '') : ''))
    .join('')
}

export function kindsOf(updates: SessionUpdate[]): string[] {
  return updates.map(({ sessionUpdate }) => sessionUpdate)
}

export function selected(optionId: string) {
  return { outcome: { outcome: 'selected', optionId } }
}
