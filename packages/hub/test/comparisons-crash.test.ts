// A hub that is killed while a comparison is created, taken or checked: the next start finishes it, or leaves nothing of it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Comparison, SessionList } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { EXTENSIONS, startTestHub, TOKEN } from './test-hub.js'
import { KillableHub } from './torture/killable-hub.js'

const ENV = { QUAYSIDE_EXTENSIONS: EXTENSIONS }

/** A hub that is killed, with the folders of one that has stopped. */
async function startKillable(env: Readonly<Record<string, string>> = ENV) {
  const first = await startTestHub({ env })
  const { id, path } = await first.firstRepo()
  await first.hub.stop()
  const { folder } = first
  const killable = new KillableHub({
    env: {
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_DURABILITY: 'normal',
      AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
      ...env,
    },
  })
  onTestFinished(() => killable.kill())
  const address = await killable.ready
  const send = (method: string, to: string, body?: object) =>
    fetch(`${address}${to}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return { folder, killable, send, repoId: id, repo: new TestRepo(path) }
}

test('a crash while the agents start leaves no session, work tree or branch after the next start', async () => {
  const { folder, killable, send, repoId: id, repo: place } = await startKillable()
  // The second agent never answers, so the comparison is never complete.
  const body = { repoId: id, agents: ['demo', 'mute'], text: 'echo hello' }
  send('POST', '/api/comparisons', body).catch(() => {})
  const active = async () => {
    const response = await send('GET', '/api/sessions')
    return ((await response.json()) as SessionList).total
  }
  await expect.poll(active, { timeout: 20_000 }).toBe(1)
  expect(place.git('branch', '--list', 'quayside/*').trim().split('\n')).toHaveLength(2)
  killable.kill()
  await killable.gone()

  await using again = await startTestHub({ folder, env: ENV })
  const folders = () => readdirSync(join(folder, 'data/worktrees'))
  await expect.poll(folders, { timeout: 20_000 }).toEqual([])
  const total = async () => (await again.get<SessionList>('/api/sessions?archived=any')).total
  await expect.poll(total).toBe(0)
  expect(place.git('for-each-ref', 'refs/heads/quayside')).toBe('')
  expect(place.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
})

test('a crash while the others are given up is finished by the next start', async () => {
  const { folder, killable, send, repoId: id } = await startKillable()
  // These agents ignore everything but SIGKILL, so that their end takes a while.
  const body = { repoId: id, agents: ['demo', 'demo', 'demo'], text: 'stubborn' }
  const created = (await (await send('POST', '/api/comparisons', body)).json()) as Comparison
  const at = `/api/comparisons/${created.id}`
  const [first, second, third] = created.sessions.map((session) => session.id)
  send('POST', `${at}/take`, { sessionId: second }).catch(() => {})
  const taken = async () => ((await (await send('GET', at)).json()) as Comparison).taken
  await expect.poll(taken).toBe(second)
  killable.kill()
  await killable.gone()

  await using again = await startTestHub({ folder, env: ENV })
  const removed = async () =>
    (await again.get<Comparison>(at)).sessions.map(({ id: one, archived, workspace }) => [
      one,
      archived,
      workspace?.isRemoved,
    ])
  await expect.poll(removed, { timeout: 20_000 }).toEqual([
    [first, true, true],
    [second, false, undefined],
    [third, true, true],
  ])
})

test('the result of a check is found by the next hub, and one that is lost is unknown', async () => {
  const { folder, killable, send, repoId: id, repo: place } = await startKillable()
  const check = `until test -e ${place.at('go')}; do sleep 0.05; done; exit 4`
  await send('PATCH', `/api/repos/${id}`, { settings: { check } })
  const body = { repoId: id, agents: ['demo', 'demo'], text: 'echo hello' }
  const created = (await (await send('POST', '/api/comparisons', body)).json()) as Comparison
  const at = `/api/comparisons/${created.id}`
  const checks = async () => {
    const { sessions } = (await (await send('GET', at)).json()) as Comparison
    return sessions.map(({ workspace }) => workspace?.check)
  }
  const running = { state: 'running' }
  await expect.poll(checks, { timeout: 20_000 }).toMatchObject([running, running])
  const [, lost] = await checks()
  killable.kill()
  await killable.gone()
  const first = await startTestHub({ folder, env: ENV })
  const inFirst = async () =>
    (await first.get<Comparison>(at)).sessions.map(({ workspace }) => workspace?.check)
  expect(await inFirst()).toMatchObject([running, running])
  await first.fetch(`/api/terminals/${lost!.terminalId}`, { method: 'DELETE' })
  place.write('go', '')
  await expect
    .poll(inFirst, { timeout: 20_000 })
    .toMatchObject([
      { state: 'failed', exitCode: 4 },
      { state: expect.not.stringMatching('running') },
    ])
  await first[Symbol.asyncDispose]()
})
