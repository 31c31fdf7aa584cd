// The SDK's client over each transport, which keeps every message. Waits for messages, never for time.
import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import {
  type AnyMessage,
  client,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  ndJsonStream,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client'
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client'
import type { SessionUpdate } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { PROGRAMS } from '../src/places.js'
import { TOKEN } from './test-hub.js'
import { Wait } from './wait.js'
import { testEnvironment } from './test-environment.js'

const SHOWN_MESSAGES = 20
const SHOWN_CHARACTERS = 300
const headers = { authorization: `Bearer ${TOKEN}` }

export type Message = AnyMessage & Record<string, unknown>
type AnswerPermission = (
  request: RequestPermissionRequest,
  signal: AbortSignal,
) => Promise<RequestPermissionResponse>

export class AcpTestClient {
  readonly received: Message[] = []
  readonly connection: ClientConnection
  /** By default no request is answered. */
  onPermission: AnswerPermission = () => new Promise(() => {})
  onQuestion: (params: Record<string, unknown>) => Promise<object> = () => new Promise(() => {})
  readonly #waiters = new Set<{ look(): boolean; readonly wait: Wait<void> }>()

  private constructor(stream: Stream) {
    this.connection = client({ name: 'test' })
      .onNotification(
        'session/update',
        (params: unknown) => params,
        () => {},
      )
      .onRequest('session/request_permission', ({ params, signal }) =>
        this.onPermission(params, signal),
      )
      .onRequest(
        'elicitation/create',
        (params: unknown) => params as never,
        ({ params }) => this.onQuestion(params),
      )
      .connect({ writable: stream.writable, readable: this.#tapped(stream.readable) })
  }

  static async connect(
    stream: Stream,
    clientCapabilities: ClientCapabilities = {},
  ): Promise<AcpTestClient> {
    const made = new AcpTestClient(stream)
    await made.agent.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities,
    })
    return made
  }

  get agent(): ClientContext {
    return this.connection.agent
  }

  async newSession(cwd: string, extensionId?: string): Promise<string> {
    const quayside = extensionId === undefined ? {} : { extensionId }
    const params: NewSessionRequest = { cwd, mcpServers: [], _meta: { quayside } }
    const { sessionId } = await this.agent.request('session/new', params)
    return sessionId
  }

  load(sessionId: string, cwd: string) {
    return this.agent.request('session/load', { sessionId, cwd, mcpServers: [] })
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  updates(sessionId: string): SessionUpdate[] {
    return this.received.flatMap(({ method, params }) => {
      const notification = params as { sessionId: string; update: SessionUpdate } | undefined
      return method === 'session/update' && notification?.sessionId === sessionId
        ? [notification.update]
        : []
    })
  }

  text(sessionId: string, kind = 'agent_message_chunk'): string {
    return this.updates(sessionId)
      .filter(({ sessionUpdate }) => sessionUpdate === kind)
      .map(({ content }) => (content as { text?: string }).text ?? '')
      .join('')
  }

  /** Resolves when `isEnough` accepts the received messages; rejects with those messages. */
  until(isEnough: () => boolean): Promise<void> {
    if (isEnough()) return Promise.resolve()
    const wait = new Wait<void>((reason) => `${reason}; received: ${this.#describeReceived()}`)
    this.#waiters.add({ look: isEnough, wait })
    return wait.promise
  }

  #describeReceived(): string {
    const last = this.received.slice(-SHOWN_MESSAGES).map((message) => JSON.stringify(message))
    return last.map((text) => `\n  ${text.slice(0, SHOWN_CHARACTERS)}`).join('')
  }

  #tapped(readable: ReadableStream<AnyMessage>): ReadableStream<AnyMessage> {
    const tap = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        this.received.push(message)
        controller.enqueue(message)
        for (const waiter of this.#waiters) {
          if (!waiter.look()) continue
          this.#waiters.delete(waiter)
          waiter.wait.resolve()
        }
      },
    })
    return readable.pipeThrough(tap)
  }
}

export function webSocketStream(address: string, path = '/acp'): Stream {
  const url = `${address.replace('http', 'ws')}${path}`
  return createWebSocketStream(url, { WebSocket: WebSocket, headers })
}

export function httpStream(address: string): Stream {
  return createHttpStream(`${address}/acp`, { headers })
}

export type AcpChild = { readonly stream: Stream; readonly process: ChildProcess; stderr(): string }

/** `quayside acp` as an editor starts it. */
export function startAcpChild(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): AcpChild {
  const child = spawn(process.execPath, [PROGRAMS.quayside, 'acp', ...args], {
    env: { ...testEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  )
  return { stream, process: child, stderr: () => stderr }
}
