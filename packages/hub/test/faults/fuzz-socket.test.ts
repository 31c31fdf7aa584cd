// Hostile WebSocket frames (500 in `npm test`, 10,000 in `npm run test:torture`) at the hub's own socket and at the ACP endpoint: each is
// answered or closes its socket, none is an internal error, no answer holds a secret, and a session beside loses nothing.
import { expect, test } from 'vitest'
import { random } from '../random.js'
import { figure, isTorture } from './figure.js'
import { FuzzedSocket } from './fuzzed-socket.js'
import { knownValues } from './known-values.js'
import { exchange } from './raw-http.js'
import { type AttackPlan, Siege } from './siege.js'
import { SocketFuzz } from './socket-fuzz.js'
import { TOKEN } from '../test-hub.js'

const FRAMES = isTorture ? 10_000 : 500
/** Starting an agent takes the longest, on a busy machine. */
const LIMIT_MS = 30_000
const SHOWN_CHARACTERS = 600
const HANDSHAKE =
  `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: Upgrade\r\n` +
  'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

test(
  `${FRAMES} hostile frames are answered or close their socket, and harm nobody`,
  { timeout: 600_000 },
  async ({ task }) => {
    await using siege = await Siege.open()
    await attack(siege, { count: FRAMES })
    expect(await siege.end()).toEqual([])
    figure(task, { what: 'hostile WebSocket frames', count: FRAMES })
  },
)

test.runIf(isTorture)(
  'a hub that forgets to answer is found out',
  { timeout: 120_000 },
  async () => {
    await using siege = await Siege.open({ mutant: 'answers-no-strange-id' })
    const isOver = () => siege.isGone || siege.failures.length > 0
    await attack(siege, { count: 10_000, isOver }, 3_000)
    expect(siege.failures.join('\n')).toContain('no answer')
  },
)

async function attack(siege: Siege, plan: AttackPlan, limitMs = LIMIT_MS): Promise<void> {
  const fuzz = new SocketFuzz(random(), await knownValues(siege))
  const lanes = new Lanes(siege)
  await siege.endure(plan, async () => {
    if (fuzz.chance(0.1)) return sendBytes(siege, fuzz.bytes(), limitMs)
    const isAcp = fuzz.chance(0.15)
    const message = isAcp ? fuzz.acpMessage() : fuzz.message()
    await using lane = await lanes.take(isAcp ? '/acp' : '/ws')
    const isAnswered = await lane.socket.send(message, limitMs)
    if (!isAnswered)
      siege.failures.push(`no answer to ${message.toString().slice(0, SHOWN_CHARACTERS)}`)
  })
  lanes.close()
}

async function sendBytes(siege: Siege, frames: Buffer, limitMs: number): Promise<void> {
  const bytes = Buffer.concat([Buffer.from(HANDSHAKE), frames])
  const answer = await exchange({ port: siege.port, bytes, endsEarly: true, limitMs })
  if (answer.isLate || answer.status !== 101)
    siege.failures.push(
      `a handshake was answered ${answer.status}: ${frames.toString('hex').slice(0, 100)}`,
    )
}

/** Sockets that are used by one attack at a time, and replaced when the hub has closed them. */
class Lanes {
  readonly #siege: Siege
  readonly #free = new Map<string, FuzzedSocket[]>()

  constructor(siege: Siege) {
    this.#siege = siege
  }

  async take(path: '/ws' | '/acp') {
    const free = this.#free.get(path) ?? []
    this.#free.set(path, free)
    const url = `${this.#siege.address.replace('http', 'ws')}${path}`
    const known = free.pop()
    const socket = known && !known.isClosed ? known : await FuzzedSocket.open(url, this.#inspect)
    return { socket, [Symbol.asyncDispose]: async () => void free.push(socket) }
  }

  close(): void {
    for (const socket of [...this.#free.values()].flat()) socket.close()
  }

  readonly #inspect = (text: string): void => {
    const about = (): string => text.slice(0, SHOWN_CHARACTERS)
    this.#siege.inspect(text, about)
    if (text.includes('"code":"internal"')) this.#siege.failures.push(`internal: ${about()}`)
  }
}
