// The memory of a whole hub while a session floods: in `npm run test:torture` only.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test, expect } from 'vitest'
import { WebSocket } from 'ws'
import { type HubChild, startHubChild } from './hub-child.js'
import { TempFolder } from './store-fixture.js'
import { makeRepository, TOKEN } from './test-hub.js'

const measured = test.runIf(
  'QUAYSIDE_TORTURE_ROUNDS' in process.env && process.platform === 'linux',
)
const LIMITS = { timeout: 600_000 }
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` }

/** Keeps every buffer that the hub reads from an agent. */
const LEAK = `data:text/javascript,
  import { StringDecoder } from 'node:string_decoder';
  const kept = [];
  const { write } = StringDecoder.prototype;
  StringDecoder.prototype.write = function (bytes) {
    kept.push(bytes);
    return write.call(this, bytes);
  }`.replaceAll(/\s+/g, '%20')

async function startHub(env: Readonly<Record<string, string>> = {}): Promise<HubChild> {
  const folder = new TempFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  makeRepository(folder.file(join('workspace', 'shop')))
  const hub = await startHubChild(['--root', folder.file('workspace')], {
    QUAYSIDE_DATA_DIR: folder.file('data'),
    QUAYSIDE_TOKEN: TOKEN,
    ...env,
  })
  onTestFinished(async () => void (await hub.stop('SIGTERM')))
  return hub
}

async function ask<T>(hub: HubChild, path: string, body: object): Promise<T> {
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${hub.address}${path}`, init)
  if (!response.ok) throw new Error(await response.text())
  return response.json() as Promise<T>
}

async function createSession(hub: HubChild): Promise<string> {
  const { repos } = await ask<{ repos: { id: string }[] }>(hub, '/api/repos/scan', {})
  const session = { repoId: repos[0]!.id, extensionId: 'demo' }
  return (await ask<{ id: string }>(hub, '/api/sessions', session)).id
}

/** A reader from the beginning of the log. */
async function follow(hub: HubChild, sessionId: string): Promise<WebSocket> {
  const socket = new WebSocket(`${hub.address.replace('http', 'ws')}/ws`, {
    headers: AUTHORIZATION,
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const params = { sessionId, after: 0 }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/follow', params }))
  return socket
}

/** Resolves when the reader has received the end of `turnId`. */
function turnEnded(reader: WebSocket, turnId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    reader.once('close', () => reject(new Error('the socket closed')))
    reader.on('message', (data: Buffer) => {
      const at = data.lastIndexOf('"turn.ended"')
      if (at >= 0 && data.includes(turnId, at)) resolve()
    })
  })
}

type Target = { readonly hub: HubChild; readonly sessionId: string }

async function flood({ hub, sessionId }: Target, chunks: number, readers: readonly WebSocket[]) {
  const id = crypto.randomUUID()
  const ended = readers.map((reader) => turnEnded(reader, id))
  await ask(hub, `/api/sessions/${sessionId}/prompt`, { id, text: `stream ${chunks}` })
  await Promise.all(ended)
}

function rssMb({ process: { pid } }: HubChild): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

async function growthOfMillion(hub: HubChild): Promise<number> {
  const sessionId = await createSession(hub)
  const reader = await follow(hub, sessionId)
  await flood({ hub, sessionId }, 1_000, [reader])
  const before = rssMb(hub)
  await flood({ hub, sessionId }, 1_000_000, [reader])
  reader.terminate()
  return rssMb(hub) - before
}

async function growthByPausedReaders(hub: HubChild): Promise<number> {
  const sessionId = await createSession(hub)
  const readers = await Promise.all(Array.from({ length: 50 }, () => follow(hub, sessionId)))
  await flood({ hub, sessionId }, 100_000, readers)
  await flood({ hub, sessionId }, 100_000, readers)
  const before = rssMb(hub)
  for (const reader of readers.slice(0, 20)) reader.pause()
  await flood({ hub, sessionId }, 400_000, readers.slice(20))
  for (const reader of readers) reader.terminate()
  return rssMb(hub) - before
}

measured('a million chunks of text take a hub at most 100 MB', LIMITS, async () => {
  expect(await growthOfMillion(await startHub())).toBeLessThan(100)
})

measured(
  '20 paused readers of 50 take a hub at most 50 MB while a session floods',
  LIMITS,
  async () => {
    expect(await growthByPausedReaders(await startHub())).toBeLessThan(50)
  },
)

measured('a planted leak exceeds both limits', LIMITS, async () => {
  const hub = await startHub({ NODE_OPTIONS: `--import ${LEAK}` })
  expect(await growthByPausedReaders(hub)).toBeGreaterThan(50)
  expect(await growthOfMillion(hub)).toBeGreaterThan(100)
})
