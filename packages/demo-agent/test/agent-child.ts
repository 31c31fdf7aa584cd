// A minimal ACP client for tests: starts the built agent as a real child and speaks JSON lines with it.
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type {
  ClientCapabilities,
  InitializeResponse,
  McpServer,
  NewSessionResponse,
  PromptResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk'

export const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url))

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

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message)
  }
}

/** Starts an agent without pauses and says `initialize` to it. */
export async function startAgent({ env, capabilities }: StartOptions = {}): Promise<AgentChild> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], QUAYSIDE_DEMO_PACE: '0', ...env },
  })
  const agent = new AgentChild(child)
  agent.initialized = (await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities ?? {},
  })) as InitializeResponse
  return agent
}

const folders = mkdtempSync(join(tmpdir(), 'quayside-demo-'))
afterAll(() => rmSync(folders, { recursive: true, force: true }))

/** A folder that lives as long as the file of tests that asks for it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folders, 'folder-'))
}

export class AgentChild implements AsyncDisposable {
  readonly messages: Message[] = []
  /** Lines that are no JSON, and the bytes as they came, one entry per read. */
  readonly junkLines: string[] = []
  readonly reads: string[] = []
  stderr = ''
  initialized!: InitializeResponse
  readonly exited: Promise<{ code: number | null; stderr: string }>
  /** What went wrong with the agent's stdin, which may be closed on the other side. */
  inputError: Error | undefined
  readonly #pending = new Map<number, Waiting>()
  readonly #taken = new WeakSet<Message>()
  readonly #watchers = new Set<() => void>()
  #lastId = 0

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.reads.push(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    createInterface({ input: child.stdout }).on('line', (line) => this.#receiveLine(line))
    child.stdin.on('error', (error) => (this.inputError = error))
    this.exited = once(child, 'close').then(([code]) => {
      for (const { reject } of this.#pending.values()) reject(new Error('The agent is gone'))
      return { code: code as number | null, stderr: this.stderr }
    })
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId
    const response = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return response
  }

  notify(method: string, params: unknown) {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }

  write(...lines: string[]) {
    this.child.stdin.write(lines.map((line) => `${line}\n`).join(''))
  }

  /** Stops reading, as a client that is too busy would. */
  setReading(isReading: boolean) {
    if (isReading) this.child.stdout.resume()
    else this.child.stdout.pause()
  }

  kill(signal: NodeJS.Signals) {
    this.child.kill(signal)
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  endInput() {
    this.child.stdin.end()
  }

  async newSession(cwd = temporaryFolder(), mcpServers: McpServer[] = []): Promise<TestSession> {
    const params = { cwd, mcpServers }
    const response = (await this.request('session/new', params)) as NewSessionResponse
    return new TestSession(this, cwd, response)
  }

  /** The first message, past or to come, for which `find` finds something. */
  async until<Found>(find: (message: Message) => Found | undefined): Promise<Found> {
    let next = 0
    return new Promise((resolve) => {
      const look = () => {
        while (next < this.messages.length) {
          const found = find(this.messages[next++]!)
          if (found === undefined) continue
          this.#watchers.delete(look)
          resolve(found)
          return
        }
      }
      this.#watchers.add(look)
      look()
    })
  }

  /** The next request of that method and session, each one handed out once. */
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
    await this.exited
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
    readonly agent: AgentChild,
    readonly cwd: string,
    readonly opened: NewSessionResponse,
  ) {
    this.id = opened.sessionId
  }

  /** Runs a whole turn: its response, the updates it sent, and what was said. */
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
  // As they came, and so perhaps without what the types promise.
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
