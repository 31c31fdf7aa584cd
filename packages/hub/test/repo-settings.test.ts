// The settings of a repository: the workspace of its new sessions, and the command that prepares a new work tree.
import { existsSync, readFileSync } from 'node:fs'
import type { Repo, Terminal } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { startTestHub, type TestHub } from './test-hub.js'

let hub: TestHub
let repoId: string
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { QUAYSIDE_WORKSPACE: 'worktree' } })
  repoId = (await hub.firstRepo()).id
})
afterAll(() => hub[Symbol.asyncDispose]())

async function change(settings: object): Promise<Response> {
  const body = JSON.stringify({ settings })
  const headers = { 'content-type': 'application/json' }
  return hub.fetch(`/api/repos/${repoId}`, { method: 'PATCH', body, headers })
}

test('the workspace is that of the session, of its repository, or of the hub', async () => {
  const kindOf = async (settings?: object) =>
    (await hub.createSession(undefined, settings && { settings })).summary.workspace?.kind
  expect(await kindOf()).toBe('worktree')
  const changed = (await (await change({ workspace: 'shared', check: 'npm test' })).json()) as Repo
  expect(changed.settings).toEqual({ workspace: 'shared', check: 'npm test' })
  expect(changed.workspace).toBe('shared')
  expect(await kindOf()).toBe('shared')
  expect(await kindOf({ workspace: 'worktree' })).toBe('worktree')
  await change({ workspace: null })
  const { settings, workspace } = await hub.get<Repo>(`/api/repos/${repoId}`)
  expect(settings).toEqual({ check: 'npm test' })
  expect(workspace).toBe('worktree')
  expect((await change({ workspace: 'elsewhere' })).status).toBe(400)
})

test('the setup runs in a terminal of the session before its first prompt, and is no change of the turn', async () => {
  await change({ setup: 'until test -e ready; do sleep 0.05; done; echo made > made.txt' })
  const permissions = { mode: 'auto', rules: [] }
  const session = await hub.createSession(undefined, { settings: { permissions } })
  const place = new TestRepo(session.summary.workspace!.path)
  const { turnId } = await session.prompt('edit turn.txt')
  const findSetup = async () => {
    const { terminals } = await hub.get<{ terminals: Terminal[] }>('/api/terminals')
    return terminals.find(({ sessionId }) => sessionId === session.id)
  }
  await expect.poll(findSetup).toMatchObject({ cwd: place.path, exit: null })
  expect(existsSync(place.at('turn.txt'))).toBe(false)
  place.write('ready', '')
  await session.feed.until('turn.started')
  expect(readFileSync(place.at('made.txt'), 'utf8')).toBe('made\n')
  await session.feed.until('turn.ended')
  const changes = await hub.get<{ files: { path: string }[] }>(
    `${session.path}/changes?turnId=${turnId}`,
  )
  expect(changes.files.map(({ path }) => path)).toEqual(['turn.txt'])
})

test('a setup that fails is a notice, and the prompt is sent', async () => {
  await change({ setup: 'exit 3' })
  const session = await hub.createSession()
  await session.run('echo hello')
  const { data } = await session.feed.until('notice', ({ code }) => code === 'setup_failed')
  expect(data.message).toContain('ended with exit code 3')
})
