// A hub with little memory under a flood of large input: it answers 413, 429 or 503, or it dies; what it acknowledged
// before a kill in the middle of the flood is there afterwards.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventPage, Repo, SessionSummary } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { startHubChild } from '../hub-child.js'
import { openSocket } from '../test-feed.js'
import { makeRepository, TOKEN } from '../test-hub.js'
import { KillableHub } from '../torture/killable-hub.js'
import { figure, isTorture } from './figure.js'

const MEGABYTES = 96
const REQUESTS = 400
const AT_ONCE = 40
/** Acknowledged prompts: fewer than a queue holds. The kill follows the last of them at once. */
const KILLED_AFTER = 12
/** Just below the limit of a body, so that each is read whole. */
const LARGE = 'x'.repeat(900_000)

type Ask = (method: string, path: string, body?: unknown) => Promise<Response>

test.runIf(isTorture)(
  `a hub with ${MEGABYTES} MB loses nothing that it acknowledged under a flood of large input`,
  { timeout: 300_000 },
  async ({ task }) => {
    const { acknowledged, statuses, lost } = await floodAndKill()
    for (const status of statuses) expect([202, 400, 409, 413, 429, 503, 507]).toContain(status)
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(lost).toEqual([])
    figure(task, { what: `large requests at a hub with ${MEGABYTES} MB`, count: REQUESTS })
  },
)

test.runIf(isTorture)(
  'a hub that acknowledges before it has stored is found out',
  { timeout: 300_000 },
  async () => {
    const { lost } = await floodAndKill('answers-and-stores-no-prompt')
    expect(lost.length).toBeGreaterThan(0)
  },
)

/** Kills the hub in the middle of the flood, unless it has died before, and looks for the acknowledged prompts after a restart. */
async function floodAndKill(mutant?: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-memory-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  makeRepository(join(folder, 'workspace', 'shop'))
  const env = {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    QUAYSIDE_DEMO_PACE: '0',
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
  }
  const little = { ...env, NODE_OPTIONS: `--max-old-space-size=${MEGABYTES}` }
  const small = new KillableHub({ env: little, mutant })
  onTestFinished(() => small.kill())
  const address = await small.ready
  const ask = asker(address)
  const { repos } = (await (await ask('POST', '/api/repos/scan', {})).json()) as { repos: Repo[] }
  const input = { repoId: repos[0]!.id, extensionId: 'demo' }
  const session = (await (await ask('POST', '/api/sessions', input)).json()) as SessionSummary

  const socketFlood = floodSocket(address).catch(() => {})
  const { acknowledged, statuses } = await flood(ask, session.id, () => small.kill())
  small.kill()
  await Promise.all([socketFlood, small.gone()])

  const again = await startHubChild([], env)
  onTestFinished(async () => void (await again.stop('SIGTERM')))
  const stored = await readQueued(asker(again.address), session.id)
  return { acknowledged, statuses, lost: acknowledged.filter((turnId) => !stored.has(turnId)) }
}

/** Prompts of almost a megabyte. A hub that has died answers nothing more. */
async function flood(ask: Ask, sessionId: string, kill: () => void) {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let left = REQUESTS
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const isLarge = left % 4 !== 0
      const text = isLarge ? `echo ${LARGE}` : 'echo hello'
      const response = await ask('POST', `/api/sessions/${sessionId}/prompt`, { text })
      statuses.add(response.status)
      if (response.status !== 202) {
        await response.arrayBuffer()
        continue
      }
      acknowledged.push(((await response.json()) as { turnId: string }).turnId)
      if (acknowledged.length === KILLED_AFTER) kill()
    }
  }
  await Promise.allSettled(Array.from({ length: AT_ONCE }, lane))
  return { acknowledged, statuses }
}

/** Large frames without a reader for their answers. */
async function floodSocket(address: string): Promise<void> {
  const socket = await openSocket(address)
  socket.on('error', () => {})
  socket.pause()
  for (let frame = 0; frame < 100; frame += 1)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: frame, method: LARGE, params: {} }))
  const answered = await fetch(`${address}/api/health`)
  await answered.arrayBuffer()
  socket.terminate()
}

function asker(address: string): Ask {
  return (method, path, body) =>
    fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}

async function readQueued(ask: Ask, sessionId: string): Promise<Set<string>> {
  const found = new Set<string>()
  for (let after = 0; ;) {
    const page = await ask('GET', `/api/sessions/${sessionId}/events?after=${after}`)
    const { events } = (await page.json()) as EventPage
    if (events.length === 0) return found
    for (const event of events) if (event.type === 'turn.queued') found.add(event.data.turnId)
    after = events.at(-1)!.seq
  }
}
