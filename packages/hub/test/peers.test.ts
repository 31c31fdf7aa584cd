// Requests between hubs end: an answer that never comes is given up, and so is one that is too long.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { KnownHubs } from '../src/cluster/known-hubs.js'
import { type ClientSocket, PeerSocket } from '../src/cluster/peer-socket.js'
import { ANSWER_MS, Peers } from '../src/cluster/peers.js'
import type { HubRow } from '../src/store/cluster-store.js'

const CALLER = { by: 'me', scope: 'admin' } as const
const HUBS = { isLiving: () => true } as unknown as KnownHubs

let server: Server
let hub: HubRow
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const access = { address: `http://127.0.0.1:${port}`, token: 'quayside_hub_x' }
  hub = {
    id: 'h',
    machineId: 'm',
    name: 'build',
    isLiving: true,
    seenAt: 0,
    access,
  } as unknown as HubRow
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
})

test.each([
  ['does not answer', () => undefined],
  ['stops in the middle of its answer', (response: ServerResponse) => response.write('{"a":')],
])('a command to a hub that %s is refused in time', async (_how, answer) => {
  const sent = new Peers(HUBS).send(hub, { method: 'GET', path: '/api/sessions/1' }, CALLER)
  const refused = expect(sent).rejects.toMatchObject({ code: 'hub_unreachable' })
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  answer(response)
  await vi.advanceTimersByTimeAsync(ANSWER_MS)
  await refused
})

test('a question between hubs has an answer within seconds and of limited length, or none', async () => {
  const peers = new Peers(HUBS)
  const late = peers.ask(hub, '/api/terminals', CALLER)
  await once(server, 'request')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await late).toBeUndefined()
  server.once('request', (_, response: ServerResponse) => response.end(`"${'x'.repeat(2 ** 20)}"`))
  expect(await peers.ask(hub, '/api/terminals', CALLER)).toBeUndefined()
})

test('a command over a socket that is not answered is refused in time', async () => {
  const sockets = new WebSocketServer({ server })
  const client = new AbortController()
  const socket = new PeerSocket(
    hub,
    { ...CALLER, closed: client.signal } as unknown as ClientSocket,
    HUBS,
  )
  const refused = expect(socket.call('session/get', {})).rejects.toMatchObject({
    code: 'hub_unreachable',
  })
  const [opened] = (await once(sockets, 'connection')) as [{ once(name: string): void }]
  await once(opened as never, 'message')
  await vi.advanceTimersByTimeAsync(ANSWER_MS)
  await refused
  client.abort()
  sockets.close()
})
