// A client on a network that breaks repeatedly. `npm run test:torture` breaks it two hundred times.
import type { SessionEvent } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../protocol/test/random.js'
import { startTestHub, type TestHub } from '../../hub/test/test-hub.js'
import type { AgentSession, ChatEvent } from '../src/index.js'
import { BadNetwork } from './bad-network.js'
import { clientOf, logOf } from './hub-client.js'

const CUTS = 'QUAYSIDE_TORTURE_ROUNDS' in process.env ? 200 : 40
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true })
})
afterAll(() => hub[Symbol.asyncDispose]())

test(`${CUTS} disconnects while an agent streams leave no gap, no repeat and the order`, async () => {
  await using network = await BadNetwork.to(hub.hub.address)
  await using client = clientOf(network.url)
  const random = new Random(seed)
  const session = await client.newSession({ repo: 'shop-api' })
  const chat: ChatEvent[] = []
  session.on('*', (event) => chat.push(event))
  const log: SessionEvent[] = []
  const reading = readUntilDone(session, (event) => {
    log.push(event)
    if (network.cuts < CUTS && client.connection.state === 'open' && random.chance(0.5))
      network.cut()
  })

  let prompts = 0
  while (network.cuts < CUTS) {
    prompts += 1
    expect(await session.prompt('drip 150 2')).toMatchObject({ stopReason: 'end_turn' })
  }
  await session.prompt('echo done')
  await reading

  const expected = await logOf(hub, session.id)
  expect(log, `FUZZ_SEED=${seed}`).toEqual(expected.slice(0, log.length))
  expect(log.at(-1)?.seq).toBe(expected.length)
  expect(ofType(log, 'turn.queued')).toHaveLength(prompts + 1)
  const deltas = chat.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []))
  expect(deltas.join('')).toBe(textOf(expected))
  const seqs = chat.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
}, 120_000)

test('a slow network that breaks in the middle of frames delivers all the same', async () => {
  await using network = await BadNetwork.to(hub.hub.address)
  await using client = clientOf(network.url)
  const random = new Random(seed)
  const session = await client.newSession({ repo: 'shop-api' })
  network.pieceBytes = 97
  network.budget = () => {
    const isCalm = network.cuts >= CUTS / 4
    // Large enough for the first response, so that a prompt is not resent forever.
    return isCalm ? Number.POSITIVE_INFINITY : 1_500 * 2 ** (random.next() * 7)
  }
  const log: SessionEvent[] = []
  const reading = readUntilDone(session, (event) => log.push(event))

  for (let count = 0; network.cuts < CUTS / 4; count += 1) {
    await session.prompt('drip 60 2')
    // A connection with a large budget may stay open; another turn forces new ones.
    if (count % 3 === 2) network.cut()
  }
  await session.prompt('echo done')
  await reading

  const expected = await logOf(hub, session.id)
  expect(log, `FUZZ_SEED=${seed}`).toEqual(expected.slice(0, log.length))
  expect(log.at(-1)?.seq).toBe(expected.length)
}, 120_000)

test('a hub that was stopped and started again is found, and writing resumes the session', async () => {
  const first = await startTestHub()
  await using network = await BadNetwork.to(first.hub.address)
  await using client = clientOf(network.url)
  const session = await client.newSession({ repo: 'shop-api' })
  const log: SessionEvent[] = []
  const reading = readUntilDone(session, (event) => log.push(event))
  await session.prompt('echo before')

  await first.hub.stop()
  await using second = await startTestHub({ folder: first.folder })
  network.leadTo(second.hub.address)
  const { text } = await session.prompt('echo done')
  await reading

  expect(text).toBe('done')
  expect(log).toEqual((await logOf(second, session.id)).slice(0, log.length))
  const ends = ofType(log, 'session.ended')
  expect(ends).toMatchObject([{ data: { reason: 'server_shutdown' } }])
  expect(ofType(log, 'session.resumed')).toHaveLength(1)
})

/** Reads the log from its beginning to the end of the turn with the text "done". */
async function readUntilDone(
  session: AgentSession,
  look: (event: SessionEvent) => void,
): Promise<void> {
  let lastTurn: string | undefined
  for await (const event of session.log({ after: 0 })) {
    look(event)
    if (event.type === 'turn.queued' && JSON.stringify(event.data.prompt).includes('echo done'))
      lastTurn = event.data.turnId
    if (event.type === 'turn.ended' && event.data.turnId === lastTurn) return
  }
}

function ofType(events: readonly SessionEvent[], type: SessionEvent['type']): SessionEvent[] {
  return events.filter((event) => event.type === type)
}

function textOf(events: readonly SessionEvent[]): string {
  return events
    .flatMap((event) => (event.type === 'acp.update' ? [event.data.update] : []))
    .filter((update) => update.sessionUpdate === 'agent_message_chunk')
    .map((update) => (update['content'] as { text: string }).text)
    .join('')
}
