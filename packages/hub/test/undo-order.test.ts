// A turn that begins while an undo changes files keeps the work tree after it.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import { SessionChanges, type SessionChangesDeps } from '../src/sessions/changes/session-changes.js'
import { TestFolder } from './git-fixture.js'

/** Of the whole hub, only what these tests reach. */
const OTHERS = {} as Pick<SessionChangesDeps, 'store' | 'eventLog'>
const RUNNING = { turnId: 'turn', ended: new Promise<void>(() => {}) }

test('a turn waits for the undo that is in progress, and has its files', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('shop').init().write('a.txt', 'after\n').commit()
  const log = createLog('silent')
  const changes = new SessionChanges({ ...OTHERS, folder: join(folder.path, 'snapshots'), log })
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const undone = changes.restore('one', async () => {
    await gate
    repo.write('a.txt', 'before\n')
  })
  const begun = changes.beginTurn('one', repo.path, RUNNING)
  // Meanwhile a turn of another session takes its snapshot.
  await changes.beginTurn('other', repo.path, RUNNING)
  open()
  await Promise.all([undone, begun])
  const request = { since: 'session', turnId: 'turn', withPatches: false } as const
  expect(await changes.read('one', repo.path, request)).toMatchObject({ total: 0 })
  expect(await changes.read('other', repo.path, request)).toMatchObject({ total: 1 })
  for (const id of ['one', 'other']) changes.end(id)
  await changes.close()
})
