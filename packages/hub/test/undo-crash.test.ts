// A hub that is killed in the middle of an undo: the next start finishes it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkpoints, Restored } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { startTestHub, TOKEN } from './test-hub.js'
import { KillableHub } from './torture/killable-hub.js'

const FILES = Array.from({ length: 40 }, (_, at) => `many/file-${at + 10}.txt`)
const ADDED = 'added/by-the-turn.txt'

test('an undo that a crash interrupts is whole after the next start, and can be redone', async () => {
  const { folder, repo, id, turnId } = await changeManyFiles()
  const read = () => new Set(FILES.map((path) => readFileSync(repo.at(path), 'utf8')))
  const isHalfDone = () => read().size === 2 && unfinishedIn(repo).length === 1
  await killInUndo({ folder, id, turnId, isHalfDone })
  expect(read()).toEqual(new Set(['before\n', 'after\n']))
  const journals = join(folder, 'data', 'undo')
  expect(readdirSync(journals)).toEqual([`${id}.json`])

  await using hub = await startTestHub({ folder })
  expect(read()).toEqual(new Set(['before\n']))
  expect(existsSync(repo.at('added'))).toBe(false)
  expect(unfinishedIn(repo)).toEqual([])
  expect(readdirSync(journals)).toEqual([])
  const { redo } = await hub.get<Checkpoints>(`/api/sessions/${id}/checkpoints`)
  expect(redo).toBe(turnId)
  const feed = await hub.follow(id)
  const { data } = await feed.until('notice', ({ code }) => code === 'turn_undone')
  expect(data).toMatchObject({ turnId, details: { left: [] } })

  const redone = (await (await hub.post(`/api/sessions/${id}/redo`, {})).json()) as Restored
  expect(redone.paths.toSorted()).toEqual([ADDED, ...FILES])
  expect(read()).toEqual(new Set(['after\n']))
})

/** In a turn of a hub that has stopped when this resolves. */
async function changeManyFiles() {
  const hub = await startTestHub()
  const { folder } = hub
  const repo = new TestRepo((await hub.firstRepo()).path)
  for (const path of FILES) repo.write(path, 'before\n')
  repo.commit()
  const session = await hub.createSession()
  const { turnId } = await session.prompt('slow 60')
  await session.feed.until('turn.started')
  for (const path of FILES) repo.write(path, 'after\n')
  repo.write(ADDED, 'added\n')
  await hub.post(`${session.path}/cancel`, {})
  await session.feed.until('turn.ended')
  await hub.hub.stop()
  return { folder, repo, id: session.id, turnId }
}

type Undoing = {
  readonly folder: string
  readonly id: string
  readonly turnId: string
  readonly isHalfDone: () => boolean
}

async function killInUndo({ folder, id, turnId, isHalfDone }: Undoing): Promise<void> {
  const env = {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    QUAYSIDE_DURABILITY: 'normal',
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
  }
  const hub = new KillableHub({ env, mutant: 'stops-in-undo' })
  onTestFinished(() => hub.kill())
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ turnId })
  const answer = fetch(`${await hub.ready}/api/sessions/${id}/undo`, {
    method: 'POST',
    headers,
    body,
  })
  answer.catch(() => {})
  await expect.poll(isHalfDone).toBe(true)
  hub.kill()
  await hub.gone()
  await expect(answer).rejects.toThrow()
}

function unfinishedIn(repo: TestRepo): string[] {
  return readdirSync(repo.at('many')).filter((name) => name.startsWith('.quayside-unfinished-'))
}
