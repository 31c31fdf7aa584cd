// A follower over a real WebSocket: checks that seq has no gaps or repeats, and waits for events.
// A wait that cannot be fulfilled rejects with the events so far.
import type { EventData, EventOf, EventType, SessionEvent } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { TOKEN } from './test-hub.js'
import { Wait } from './wait.js'

type Waiter = { matches(event: SessionEvent): boolean; readonly wait: Wait<SessionEvent> }

/** A wait continues this long after the end of a session, which may be resumed. */
const RESUME_LIMIT_MS = 10_000
const SHOWN_TYPES = 50
const SHOWN_EVENTS = 5
const SHOWN_CHARACTERS = 300

export class TestFeed {
  readonly events: SessionEvent[] = []
  readonly #socket: WebSocket
  readonly #calls = new Map<number, Wait<RpcAnswer>>()
  readonly #waiters = new Set<Waiter>()
  #lastSeq: number
  #nextId = 1
  #endTimer: NodeJS.Timeout | undefined
  /** Set when no event can arrive any more. */
  #broken: string | undefined

  private constructor(socket: WebSocket, after: number) {
    this.#socket = socket
    this.#lastSeq = after
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as RpcAnswer))
    socket.once('close', (code: number) => this.#break(`the feed was closed (${code})`))
  }

  static async open(address: string, sessionId: string, after: number): Promise<TestFeed> {
    const socket = await openSocket(address)
    const feed = new TestFeed(socket, after)
    const { error } = await feed.call('session/follow', { sessionId, after })
    if (error) throw new Error(error.message)
    return feed
  }

  get isClosed(): boolean {
    return this.#socket.readyState === WebSocket.CLOSED
  }

  /** Rejects without an answer. */
  call(method: string, params: unknown): Promise<RpcAnswer> {
    const id = this.#nextId++
    const wait = new Wait<RpcAnswer>((reason) => this.#describe(`no answer to ${method}`, reason))
    this.#calls.set(id, wait)
    if (this.#broken !== undefined) wait.reject(this.#broken)
    else this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return wait.promise
  }

  /**
   * The first event of this type, past or future, whose data matches. Rejects with the events so far when the session has ended and
   * is not resumed, when the socket closes, and before the test times out.
   */
  until<Type extends EventType>(
    type: Type,
    matches: (data: EventData[Type]) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const isIt = (event: SessionEvent): boolean =>
      event.type === type && matches(event.data as EventData[Type])
    return this.#until(isIt, `no matching ${type}`) as Promise<EventOf<Type>>
  }

  /** The event with this number, after all before it. */
  untilSeq(seq: number): Promise<SessionEvent> {
    return this.#until((event) => event.seq === seq, `no event ${seq}`)
  }

  #until(matches: (event: SessionEvent) => boolean, wanted: string): Promise<SessionEvent> {
    const found = this.events.find(matches)
    if (found) return Promise.resolve(found)
    const wait = new Wait<SessionEvent>((reason) => this.#describe(wanted, reason))
    if (this.#broken !== undefined) wait.reject(this.#broken)
    else this.#waiters.add({ matches, wait })
    this.#watchEnd()
    return wait.promise
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
    if (message.id !== undefined) {
      this.#calls.get(message.id)?.resolve(message)
      this.#calls.delete(message.id)
    }
    for (const event of message.params?.events ?? []) this.#add(event)
  }

  #add(event: SessionEvent): void {
    if (event.seq !== this.#lastSeq + 1) {
      const gap = `event ${event.seq} came after ${this.#lastSeq}`
      this.#break(gap)
      throw new Error(gap)
    }
    this.#lastSeq = event.seq
    this.events.push(event)
    for (const waiter of this.#waiters) {
      if (!waiter.matches(event)) continue
      this.#waiters.delete(waiter)
      waiter.wait.resolve(event)
    }
    this.#watchEnd()
  }

  /** A session that has ended may be resumed. Rejects when no event follows for a while. */
  #watchEnd(): void {
    clearTimeout(this.#endTimer)
    if (this.events.at(-1)?.type !== 'session.ended') return
    this.#endTimer = setTimeout(() => this.#rejectWaiters('the session has ended'), RESUME_LIMIT_MS)
  }

  #rejectWaiters(reason: string): void {
    for (const { wait } of this.#waiters) wait.reject(reason)
    this.#waiters.clear()
  }

  #break(reason: string): void {
    this.#broken ??= reason
    clearTimeout(this.#endTimer)
    this.#rejectWaiters(reason)
    for (const wait of this.#calls.values()) wait.reject(reason)
    this.#calls.clear()
  }

  #describe(wanted: string, reason: string): string {
    const last = this.events.slice(-SHOWN_EVENTS).map(({ seq, type, data }) => {
      return `  ${seq} ${type} ${JSON.stringify(data).slice(0, SHOWN_CHARACTERS)}`
    })
    const types = this.types().slice(-SHOWN_TYPES).join(', ')
    return `${wanted}: ${reason}; seen: ${types}\nthe last ones:\n${last.join('\n')}`
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
