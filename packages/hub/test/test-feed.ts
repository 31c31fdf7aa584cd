// A follower over a real WebSocket: checks that seq has no gaps or repeats, and waits for events, never for time.
import type { EventData, EventOf, EventType, SessionEvent } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { TOKEN } from './test-hub.js'

type Waiter = { matches(event: SessionEvent): boolean; resolve(event: SessionEvent): void }

export class TestFeed {
  readonly events: SessionEvent[] = []
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (message: RpcAnswer) => void>()
  readonly #waiters = new Set<Waiter>()
  #lastSeq: number
  #nextId = 1

  private constructor(socket: WebSocket, after: number) {
    this.#socket = socket
    this.#lastSeq = after
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as RpcAnswer))
  }

  static async open(address: string, sessionId: string, after: number): Promise<TestFeed> {
    const socket = await openSocket(address)
    const feed = new TestFeed(socket, after)
    const { error } = await feed.call('session/follow', { sessionId, after })
    if (error) throw new Error(error.message)
    return feed
  }

  call(method: string, params: unknown): Promise<RpcAnswer> {
    const id = this.#nextId++
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return new Promise((resolve) => this.#answers.set(id, resolve))
  }

  /** The first event of this type, past or to come, whose data matches. */
  until<Type extends EventType>(
    type: Type,
    matches: (data: EventData[Type]) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const isIt = (event: SessionEvent): boolean =>
      event.type === type && matches(event.data as EventData[Type])
    const found = this.events.find(isIt)
    if (found) return Promise.resolve(found as EventOf<Type>)
    return new Promise((resolve) => {
      this.#waiters.add({ matches: isIt, resolve: (event) => resolve(event as EventOf<Type>) })
    })
  }

  /** The event with this number, and so all before it. */
  untilSeq(seq: number): Promise<SessionEvent> {
    const isIt = (event: SessionEvent): boolean => event.seq === seq
    const found = this.events.find(isIt)
    if (found) return Promise.resolve(found)
    return new Promise((resolve) => this.#waiters.add({ matches: isIt, resolve }))
  }

  types(): EventType[] {
    return this.events.map(({ type }) => type)
  }

  /** All agent text so far. */
  text(): string {
    return this.events
      .flatMap((event) => (event.type === 'acp.update' ? [event.data.update] : []))
      .filter((update) => update.sessionUpdate === 'agent_message_chunk')
      .map((update) => (update['content'] as { text?: string } | null)?.text ?? '')
      .join('')
  }

  close(): void {
    this.#socket.terminate()
  }

  #receive(message: RpcAnswer): void {
    if (message.id !== undefined) this.#answers.get(message.id)?.(message)
    for (const event of message.params?.events ?? []) {
      if (event.seq !== this.#lastSeq + 1)
        throw new Error(`event ${event.seq} came after ${this.#lastSeq}`)
      this.#lastSeq = event.seq
      this.events.push(event)
      for (const waiter of this.#waiters) {
        if (!waiter.matches(event)) continue
        this.#waiters.delete(waiter)
        waiter.resolve(event)
      }
    }
  }
}

export type RpcAnswer = {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { code: number; message: string; data?: { code: string; details?: unknown } }
  readonly params?: { events?: SessionEvent[] }
}

export function openSocket(
  address: string,
  headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) =>
      reject(new Error(`refused with ${response.statusCode}`)),
    )
  })
}
