// The progress of a new work tree, by the API and at a terminal, and the name of its branch.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { WorktreeInProgress } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'
import { TestRepo } from './git-fixture.js'
import type { TestHub } from './test-hub.js'

const FILES = 8_000

let folder: CliFolder
let hub: TestHub
let repo: TestRepo
beforeAll(async () => {
  folder = new CliFolder()
  repo = new TestRepo(folder.repo)
  addFiles()
  hub = await folder.startHub()
})
afterAll(() => folder[Symbol.asyncDispose]())

/** So many that a look at the progress comes in between. */
function addFiles(): void {
  const files = Array.from({ length: FILES }, (_, at) => `M 100644 :1 many/${at % 100}/${at}.txt\n`)
  const head =
    'blob\nmark :1\ndata 2\na\n\ncommit refs/heads/main\ncommitter T <t@e> 0 +0000\ndata 4\nmany\n'
  const input = `${head}from refs/heads/main^0\n${files.join('')}\n`
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet'], {
    cwd: repo.path,
    input,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  repo.git('reset', '--hard', '--quiet')
}

test('the files that are written are counted until the session has started', async () => {
  const { id: repoId } = await hub.firstRepo()
  const making = async () =>
    (await hub.get<{ worktrees: WorktreeInProgress[] }>(`/api/repos/${repoId}/worktrees`)).worktrees
  const settings = { workspace: 'worktree' }
  const creating = hub.createSession(undefined, { settings, branch: 'Fix: the login page' })
  const seen: WorktreeInProgress[] = []
  const isOver = creating.then(() => true)
  while (!(await Promise.race([isOver, making().then((now) => void seen.push(...now))])));
  const { id, summary } = await creating
  expect(summary).toMatchObject({
    title: null,
    workspace: { branch: 'quayside/fix-the-login-page' },
  })
  const counts = seen.flatMap(({ files }) => files ?? [])
  expect(seen.map(({ sessionId }) => sessionId)).toContain(id)
  expect(counts.map(({ total }) => total)).toContain(FILES + 1)
  expect(counts.map(({ done }) => done)).toEqual(
    counts.map(({ done }) => done).toSorted((a, b) => a - b),
  )
  expect(await making()).toEqual([])
  expect((await hub.fetch('/api/repos/unknown/worktrees')).status).toBe(404)
  rmSync(summary.workspace!.path, { recursive: true })
})

test('a terminal shows the progress, and the branch is named after the prompt', async () => {
  const screen = folder.start(['run', 'echo Say hello', '--worktree'], { isTerminal: true })
  await screen.until('of 8001 files)')
  expect(await screen.ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Making a work tree: \d+ % \(/),
  })
  expect(repo.git('branch', '--list', 'quayside/echo-say-hello')).toContain('echo-say-hello')
})
