// A hub with the test extensions, and functions that connect ACP clients to it.
import { join } from 'node:path'
import type { ClientCapabilities, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { afterAll, beforeAll } from 'vitest'
import { AcpTestClient, httpStream, webSocketStream } from './acp-test-client.js'
import { Wait } from './wait.js'
import { EXTENSIONS, startTestHub, type TestHub } from './test-hub.js'

export class AcpStage implements AsyncDisposable {
  readonly #clients: AcpTestClient[] = []
  #hub: TestHub | undefined

  /** One for all tests of a file; the hub starts before the first test. */
  static forFile(): AcpStage {
    const stage = new AcpStage()
    beforeAll(() => stage.open())
    afterAll(() => stage[Symbol.asyncDispose]())
    return stage
  }

  async open(): Promise<this> {
    const env = { QUAYSIDE_EXTENSIONS: EXTENSIONS, AGENT_MAX_SESSIONS: '50' }
    this.#hub = await startTestHub({ sharesAgent: true, env })
    return this
  }

  get hub(): TestHub {
    if (this.#hub === undefined) throw new Error('The stage is not open.')
    return this.#hub
  }

  get cwd(): string {
    return join(this.hub.workspace, 'shop-api')
  }

  async connect(
    stream = webSocketStream(this.hub.hub.address),
    capabilities: ClientCapabilities = {},
  ): Promise<AcpTestClient> {
    const client = await AcpTestClient.connect(stream, capabilities)
    this.#clients.push(client)
    return client
  }

  /** A session followed by two ACP clients, one over each transport, and a WebSocket feed. */
  async openTogether() {
    const one = await this.connect()
    const sessionId = await one.newSession(this.cwd)
    const two = await this.connect(httpStream(this.hub.hub.address))
    await two.load(sessionId, this.cwd)
    return { sessionId, one, two, feed: await this.hub.follow(sessionId) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.connection.close()
    await this.hub[Symbol.asyncDispose]()
  }
}

export type Answer = (response: RequestPermissionResponse) => void

/** Collects the permissions of one client until the test answers them. */
export class Desk {
  readonly #arrived: Answer[] = []
  #wake: () => void = () => {}

  constructor(client: AcpTestClient, onWithdrawn: () => void) {
    client.onPermission = (_request, signal) => {
      signal.addEventListener('abort', onWithdrawn)
      return new Promise((answer) => {
        this.#arrived.push(answer)
        this.#wake()
      })
    }
  }

  async nextQuestion(): Promise<Answer> {
    for (;;) {
      const answer = this.#arrived.shift()
      if (answer) return answer
      const arrival = new Wait<void>((reason) => `no permission was put to the client: ${reason}`)
      this.#wake = () => arrival.resolve()
      await arrival.promise
    }
  }
}

export function selected(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } }
}
