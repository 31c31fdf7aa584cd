// Races at a whole hub, for two seconds in `npm test` and sixty in `npm run test:torture`: a link is swapped while routes read through it,
// two clients answer at once, a session is removed while it is followed, and a prompt comes while a session ends.
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventPage, SessionEvent } from '@quayside/protocol'
import { expect, test, vi } from 'vitest'
import { PendingPermissions } from '../../src/sessions/decisions/pending-permissions.js'
import { startTestHub, type TestHub, type TestSession } from '../test-hub.js'
import { figure, isTorture } from './figure.js'

const RACE_MS = isTorture ? 60_000 : 2_000
const CANARY = 'CANARY 77aa'

test(
  `races of ${RACE_MS / 1000} seconds end well`,
  { timeout: RACE_MS + 60_000 },
  async ({ task }) => {
    await using hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
    const until = performance.now() + RACE_MS
    const isOver = () => performance.now() > until
    const lanes = [raceLinks, raceAnswers, raceRemoval, racePrompts]
    const counts = await Promise.all(lanes.map((lane) => repeat(() => lane(hub), isOver)))
    for (const count of counts) expect(count).toBeGreaterThan(0)
    figure(task, { what: 'races (rounds)', count: counts.reduce((sum, count) => sum + count, 0) })
  },
)

test('a hub that takes two answers is found out', async () => {
  // Forgets that an answer came.
  using answered = vi.spyOn(PendingPermissions.prototype, 'answer')
  answered.mockResolvedValue({ outcome: 'selected', optionId: 'x' } as never)
  await using hub = await startTestHub({ sharesAgent: true })
  await expect(raceAnswers(hub)).rejects.toThrow()
})

async function repeat(round: () => Promise<void>, isOver: () => boolean): Promise<number> {
  let rounds = 0
  for (; rounds === 0 || !isOver(); rounds += 1) await round()
  return rounds
}

/** A folder that is a link: inside, outside, inside. The routes that read through it never show the outside. */
async function raceLinks(hub: TestHub): Promise<void> {
  const { id } = await hub.firstRepo()
  const repo = join(hub.workspace, 'shop-api')
  const outside = join(hub.folder, 'outside')
  mkdirSync(join(repo, 'inside'), { recursive: true })
  mkdirSync(outside, { recursive: true })
  writeFileSync(join(repo, 'inside', 'file.txt'), 'inside')
  writeFileSync(join(outside, 'file.txt'), CANARY)
  const reading = new AbortController()
  const swap = async (): Promise<void> => {
    for (let turn = 0; !reading.signal.aborted; turn += 1) {
      symlinkSync(turn % 2 === 0 ? outside : 'inside', join(repo, 'flip.next'))
      renameSync(join(repo, 'flip.next'), join(repo, 'flip'))
      await new Promise(setImmediate)
    }
  }
  const read = async (): Promise<string> => {
    const paths = [
      'file?path=flip/file.txt',
      'diff',
      'diff?path=flip/file.txt',
      'files?q=flip',
      'status',
    ]
    const reads = [...paths, ...Array.from({ length: 20 }, () => paths[0]!)].map(async (path) => {
      const response = await hub.fetch(`/api/repos/${id}/${path}`)
      return response.text()
    })
    return (await Promise.all(reads)).join('\n')
  }
  const [text] = await Promise.all([read().finally(() => reading.abort()), swap()])
  expect(text).not.toContain(CANARY)
  // Refusing everything is no defence.
  const calm = await hub.fetch(`/api/repos/${id}/file?path=inside/file.txt`)
  expect(await calm.json()).toMatchObject({ text: 'inside' })
}

/** One of two answers counts, and the log has one. */
async function raceAnswers(hub: TestHub): Promise<void> {
  const session = await hub.createSession('demo')
  const { turnId } = await session.prompt('ask')
  const { data } = await session.feed.until('permission.requested')
  const options = ['allow_once', 'reject_once', 'allow_once']
  const answers = await Promise.all(
    options.map((option) => session.answer(data.permissionId, option)),
  )
  const statuses = answers.map(({ status }) => String(status)).toSorted()
  expect(statuses).toEqual(['200', '409', '409'])
  await session.feed.until('turn.ended', (ended) => ended.turnId === turnId)
  expect(session.feed.types().filter((type) => type === 'permission.resolved')).toHaveLength(1)
  await leave(session)
}

/** A removed session ends its followers, at any moment of a turn. */
async function raceRemoval(hub: TestHub): Promise<void> {
  const session = await hub.createSession('demo')
  const followers = await Promise.all([hub.follow(session.id), hub.follow(session.id)])
  await session.prompt('stream 300')
  const stream = hub.fetch(`${session.path}/events`, { headers: { accept: 'text/event-stream' } })
  const [events, removed] = await Promise.all([
    stream,
    hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' }),
  ])
  expect(removed.status).toBeLessThan(300)
  // Resolves: the stream of a removed session ends.
  await events.text()
  expect((await hub.fetch(session.path)).status).toBe(404)
  for (const feed of [...followers, session.feed]) feed.close()
}

/** A prompt that was accepted has an end or is queued; one that was refused left no trace. */
async function racePrompts(hub: TestHub): Promise<void> {
  const session = await hub.createSession('demo')
  const prompt = (text: string) => hub.post(`${session.path}/prompt`, { text })
  const [one, two, , three] = await Promise.all([
    prompt('slow 0.05'),
    prompt('echo two'),
    hub.fetch(session.path, { method: 'DELETE' }),
    prompt('echo three'),
  ])
  const accepted: string[] = []
  for (const response of [one, two, three]) {
    expect([202, 404, 409]).toContain(response.status)
    if (response.status === 202)
      accepted.push(((await response.json()) as { turnId: string }).turnId)
  }
  await session.feed.until('session.ended')
  const { events } = await hub.get<EventPage>(`${session.path}/events`)
  const ofType = (type: SessionEvent['type']): string[] =>
    events.flatMap((event) =>
      event.type === type && 'turnId' in event.data ? [event.data.turnId] : [],
    )
  expect(ofType('turn.queued').toSorted()).toEqual(accepted.toSorted())
  expect(ofType('turn.ended').toSorted()).toEqual(ofType('turn.started').toSorted())
  await leave(session)
}

async function leave(session: TestSession): Promise<void> {
  session.feed.close()
  await session.hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
}
