// The WebSocket beyond one healthy follower: start and end of following, the watched list, broken and slow clients.
import type { SessionEvent, SessionSummary } from '@quayside/protocol'
import { NOTIFICATIONS } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { random } from './random.js'
import { startTestHub, type TestHub, TOKEN } from './test-hub.js'
import { Wait } from './wait.js'

/** 2,000 in `npm run test:torture`. */
const DISCONNECTS = 'QUAYSIDE_TORTURE_ROUNDS' in process.env ? 2_000 : 200

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

type Frame = {
  readonly id?: number | null
  readonly method?: string
  readonly params?: { events?: SessionEvent[]; sessions?: SessionSummary[]; removed?: string[] }
  readonly result?: unknown
  readonly error?: { code: number; message: string; data?: { code: string } }
}

/** Frames in the order of arrival, buffered until a test reads them. */
class Line {
  readonly socket: WebSocket
  readonly #frames: (Frame | Frame[])[] = []
  #wake: (() => void) | undefined
  #closed = false

  constructor(path = '/ws') {
    const headers = { authorization: `Bearer ${TOKEN}` }
    this.socket = new WebSocket(hub.hub.address.replace('http', 'ws') + path, { headers })
    this.socket.on('message', (data: Buffer) => {
      this.#frames.push(JSON.parse(data.toString()) as Frame)
      this.#wake?.()
    })
    this.socket.on('close', () => {
      this.#closed = true
      this.#wake?.()
    })
    this.socket.on('error', () => {})
  }

  static async open(path?: string): Promise<Line> {
    const line = new Line(path)
    await new Promise((resolve) => line.socket.once('open', resolve))
    return line
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  request(id: number, method: string, params: object): void {
    this.send({ jsonrpc: '2.0', id, method, params })
  }

  async next(): Promise<Frame> {
    while (this.#frames.length === 0) {
      if (this.#closed) throw new Error('the socket closed')
      const wait = new Wait<void>((reason) => `no frame came: ${reason}`)
      this.#wake = () => wait.resolve()
      await wait.promise
    }
    const frame = this.#frames.shift() as Frame
    const known: Readonly<Record<string, (typeof NOTIFICATIONS)[keyof typeof NOTIFICATIONS]>> =
      NOTIFICATIONS
    if (frame.method !== undefined) known[frame.method]!.params.parse(frame.params)
    return frame
  }

  /** The next frame that matches; others are skipped. */
  async until(isWanted: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const frame = await this.next()
      if (isWanted(frame)) return frame
    }
  }

  /** Events up to the one with this number. */
  async eventsUntil(seq: number): Promise<SessionEvent[]> {
    const events: SessionEvent[] = []
    while (events.at(-1)?.seq !== seq) events.push(...((await this.next()).params?.events ?? []))
    return events
  }
}

describe('following', () => {
  test('begins with the last turns, whole', async () => {
    const session = await hub.createSession()
    for (const text of ['echo one', 'echo two', 'echo three']) await session.run(text)
    const { lastSeq } = await session.summaryNow()
    const line = await Line.open(`/ws?sessionId=${session.id}&limit=2`)
    const events = await line.eventsUntil(lastSeq)
    const prompts = events.filter(({ type }) => type === 'turn.queued')
    expect(prompts).toHaveLength(2)
    expect(events[0]).toBe(prompts[0])
    line.socket.close()
  })

  test('begins after a time, ends before a time, or counts turns back from it', async () => {
    const session = await hub.createSession()
    for (const text of ['echo one', 'echo two', 'echo three']) await session.run(text)
    const { events } = await hub.get<{ events: SessionEvent[] }>(`${session.path}/events`)
    const all = events.map((event) => ({ ...event }))
    const middle = all[Math.floor(all.length / 2)]!.at
    const line = await Line.open()
    const follow = async (id: number, input: object) => {
      line.request(id, 'session/follow', { sessionId: session.id, ...input })
      return (await line.until((frame) => frame.id === id)).result as {
        after: number
        until?: number
      }
    }
    const since = await follow(1, { since: middle })
    expect(since.after).toBe(all.filter(({ at }) => at <= middle).at(-1)!.seq)
    const before = await follow(2, { before: middle })
    expect(before).toMatchObject({ after: 0, until: all.findLast(({ at }) => at < middle)!.seq })
    const past = await line.eventsUntil(before.until!)
    expect(past.every(({ at }) => at < middle)).toBe(true)
    const none = await follow(3, { limit: 0 })
    expect(none.after).toBe(all.at(-1)!.seq)
    const end = all.at(-1)!.at + 1
    const two = await follow(4, { limit: 2, before: end })
    expect(all.filter(({ seq, type }) => seq > two.after && type === 'turn.queued')).toHaveLength(2)
    line.socket.close()
  })

  test('of a session that does not exist, or with a number that is none, is refused before the socket opens', async () => {
    const refused = (path: string): Promise<number> =>
      new Promise((resolve) =>
        new Line(path).socket.once('unexpected-response', (_request, { statusCode }) =>
          resolve(statusCode ?? 0),
        ),
      )
    expect(await refused('/ws?sessionId=nobody')).toBe(404)
    expect(await refused('/ws?limit=many')).toBe(400)
  })

  test('continues through many random disconnects: nothing lost, repeated or reordered', async () => {
    const session = await hub.createSession()
    const next = random()
    await session.prompt(`drip ${DISCONNECTS * 2} 1`)
    const seen: number[] = []
    let isOver = false
    let disconnects = 0
    while (disconnects < DISCONNECTS || !isOver) {
      const line = await Line.open(`/ws?sessionId=${session.id}&after=${seen.at(-1) ?? 0}`)
      for (let frames = Math.floor(next() * 3); frames > 0 && !isOver; frames -= 1) {
        const { params } = await line.until(({ method }) => method === 'session/events')
        seen.push(...params!.events!.map(({ seq }) => seq))
        isOver = params!.events!.some(({ type }) => type === 'turn.ended')
      }
      line.socket.terminate()
      disconnects += 1
    }
    const last = await Line.open(`/ws?sessionId=${session.id}&after=${seen.at(-1) ?? 0}`)
    const { lastSeq } = await session.summaryNow()
    if (seen.at(-1) !== lastSeq)
      seen.push(...(await last.eventsUntil(lastSeq)).map(({ seq }) => seq))
    last.socket.close()
    expect(seen).toEqual(Array.from({ length: lastSeq }, (_, at) => at + 1))
  }, 240_000)

  test('ends with a notification when the session is removed', async () => {
    const session = await hub.createSession()
    const inAddress = await Line.open(`/ws?sessionId=${session.id}`)
    const asked = await Line.open()
    asked.request(1, 'session/follow', { sessionId: session.id })
    await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
    for (const line of [inAddress, asked]) {
      const { params } = await line.until(({ method }) => method === 'session/removed')
      expect(params).toEqual({ sessionId: session.id })
      // The socket itself stays.
      line.request(2, 'session/follow', { sessionId: session.id })
      const { error } = await line.until(({ id }) => id === 2)
      expect(error?.data?.code).toBe('session_not_found')
      line.socket.close()
    }
  })

  test('ends with a notification when the log is shorter than the cursor', async () => {
    const session = await hub.createSession()
    await session.run('echo ready')
    const { lastSeq } = await session.summaryNow()
    const params = { sessionId: session.id, after: lastSeq + 1, lastSeq }
    const inAddress = await Line.open(`/ws?sessionId=${session.id}&after=${lastSeq + 1}`)
    expect(await inAddress.next()).toMatchObject({ method: 'session/reset', params })
    const asked = await Line.open()
    asked.request(1, 'session/follow', { sessionId: session.id, after: lastSeq + 1 })
    expect(await asked.next()).toMatchObject({ id: 1, result: { lastSeq } })
    expect(await asked.next()).toMatchObject({ method: 'session/reset', params })
    for (const line of [inAddress, asked]) line.socket.close()
  })

  test('has a cap for one socket', async () => {
    const line = await Line.open()
    const sessions = await hub.get<{ sessions: SessionSummary[] }>('/api/sessions?limit=1')
    const [{ id: sessionId }] = sessions.sessions as [SessionSummary]
    line.request(1, 'session/follow', { sessionId })
    await line.until(({ id }) => id === 1)
    // Following the same session again only moves the cursor.
    for (let id = 2; id < 100; id += 1) line.request(id, 'session/follow', { sessionId, limit: 0 })
    expect((await line.until(({ id }) => id === 99)).error).toBeUndefined()
    line.socket.close()
  })
})

describe('a client that does not read', () => {
  test('falls behind, the others do not notice, and it finds everything when it reads again', async () => {
    const session = await hub.createSession()
    const slow = await Line.open(`/ws?sessionId=${session.id}`)
    slow.socket.pause()
    expect((await session.run('flood 20000')).data.stopReason).toBe('end_turn')
    expect((await session.run('echo still quick')).data.stopReason).toBe('end_turn')
    const { lastSeq } = await session.summaryNow()
    slow.socket.resume()
    const events = await slow.eventsUntil(lastSeq)
    expect(events.map(({ seq }) => seq)).toEqual(
      Array.from({ length: lastSeq }, (_, index) => index + 1),
    )
    slow.socket.close()
  })

  test('and asks all the time is not answered faster than it reads, and gets every answer', async () => {
    const line = await Line.open()
    line.socket.pause()
    const nothing = 'x'.repeat(50)
    const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: nothing }))
    const text = JSON.stringify(batch)
    for (let count = 0; count < 300; count += 1) line.send(text)
    line.request(7, 'session/follow', { sessionId: 'nobody' })
    line.socket.resume()
    let batches = 0
    const last = await line.until((frame) => {
      if (Array.isArray(frame)) batches += 1
      return frame.id === 7
    })
    expect(last.error).toMatchObject({ data: { code: 'session_not_found' } })
    while (batches < 300) if (Array.isArray(await line.next())) batches += 1
    line.socket.close()
  })
})

describe('JSON-RPC 2.0', () => {
  test.each([
    ['not json', -32_700, 'null'],
    ['[]', -32_600, 'null'],
    ['{"jsonrpc":"2.0","id":1}', -32_600, 'null'],
    ['{"jsonrpc":"1.0","id":1,"method":"x"}', -32_600, 'null'],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', -32_600, 'null'],
    ['{"jsonrpc":"2.0","id":1,"method":"x"}', -32_601, '1'],
    ['{"jsonrpc":"2.0","id":"a","method":"session/follow","params":{}}', -32_602, '"a"'],
    ['{"jsonrpc":"2.0","id":2,"method":"session/follow","params":[]}', -32_602, '2'],
    [
      '{"jsonrpc":"2.0","id":3,"method":"session/follow","params":{"sessionId":"nobody"}}',
      -32_000,
      '3',
    ],
  ])('%s gets %i', async (frame, code, id) => {
    const line = await Line.open()
    line.send(frame)
    const answer = await line.next()
    expect(answer.error?.code).toBe(code)
    expect(JSON.stringify(answer.id)).toBe(id)
    line.socket.close()
  })

  test('a batch is answered as one, without the notifications in it; a batch of those gets nothing', async () => {
    const line = await Line.open()
    line.send([{ jsonrpc: '2.0', method: 'nothing' }])
    line.send([{ jsonrpc: '2.0', method: 'nothing' }, 1, { jsonrpc: '2.0', id: 9, method: 'no' }])
    const answers = (await line.next()) as unknown as Frame[]
    expect(answers.map(({ error }) => error?.code)).toEqual([-32_600, -32_601])
    line.send(Array.from({ length: 101 }, () => 1))
    expect((await line.next()).error?.message).toBe('A batch holds at most 100 requests.')
    line.socket.close()
  })

  test('a binary frame is an error, a frame beyond the limit closes the socket', async () => {
    const line = await Line.open()
    line.socket.send(Buffer.from('{}'), { binary: true })
    expect((await line.next()).error?.code).toBe(-32_700)
    const closed = new Promise((resolve) => line.socket.once('close', resolve))
    line.send(`"${'x'.repeat(2 * 1024 * 1024)}"`)
    expect(await closed).toBe(1009)
  })
})

describe('the watched list', () => {
  test('reports new, renamed, working, ended and removed sessions', async () => {
    const line = await Line.open()
    line.request(1, 'sessions/watch', {})
    await line.until(({ id }) => id === 1)
    const session = await hub.createSession()
    const row = async (isIt: (row: SessionSummary) => boolean): Promise<SessionSummary> => {
      for (;;) {
        const { params } = await line.until(({ method }) => method === 'sessions/changed')
        const found = params!.sessions!.find((one) => one.id === session.id && isIt(one))
        if (found) return found
      }
    }
    await row(({ status }) => status === 'active')
    await session.prompt('permission')
    await row(({ activity }) => activity === 'waiting')
    await hub.fetch(session.path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Renamed' }),
    })
    await row(({ title }) => title === 'Renamed')
    await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
    await line.until(({ params }) => params?.removed?.includes(session.id) === true)
    line.socket.close()
  })
})
