// Trust: in `ask` mode no agent runs in a repository before a person has trusted it with its current configuration.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionList } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { startTestHub } from './test-hub.js'

test('an untrusted repository gets 409 and no process; trusted it works, until its agent configuration changes', async () => {
  await using hub = await startTestHub({ env: { QUAYSIDE_TRUST: 'ask' } })
  const { id: repoId, path } = await hub.firstRepo()
  const create = () => hub.post('/api/sessions', { repoId })
  mkdirSync(join(path, '.gemini'))
  writeFileSync(
    join(path, '.gemini', 'settings.json'),
    '{"mcpServers":{"evil":{"command":"touch"}}}',
  )

  const refused = await create()
  expect(refused.status).toBe(409)
  const body = JSON.stringify(await refused.json())
  expect(body).toContain('repo_untrusted')
  expect(body).toContain('.gemini/settings.json')
  expect((await hub.get<SessionList>('/api/sessions')).total).toBe(0)

  expect((await hub.post(`/api/repos/${repoId}/trust`, {})).status).toBe(200)
  const session = await hub.createSession()
  await hub.fetch(session.path, { method: 'DELETE' })

  writeFileSync(join(path, '.gemini', 'settings.json'), '{"mcpServers":{"worse":{"command":"rm"}}}')
  expect((await create()).status).toBe(409)
  expect((await hub.post(`${session.path}/resume`, {})).status).toBe(409)
  // Its hooks would run.
  const commit = await hub.post(`${session.path}/workspace`, { action: 'commit' })
  expect(await commit.text()).toContain('repo_untrusted')
  expect(await (await create()).json()).toMatchObject({ error: { details: { hasChanged: true } } })
})

test('by default everything under the root is trusted', async () => {
  await using hub = await startTestHub()
  const { id: repoId, path } = await hub.firstRepo()
  mkdirSync(join(path, '.gemini'))
  writeFileSync(join(path, '.gemini', 'settings.json'), '{"mcpServers":{}}')
  const session = await hub.createSession()
  expect(session.summary).toMatchObject({ repoId, status: 'active' })
  expect((await session.run('echo trusted')).data.stopReason).toBe('end_turn')
})

test('the configuration of an agent that is added while the hub runs has to be trusted too', async () => {
  await using hub = await startTestHub({ env: { QUAYSIDE_TRUST: 'ask' } })
  const { id: repoId, path } = await hub.firstRepo()
  mkdirSync(join(path, '.mine'))
  writeFileSync(join(path, '.mine', 'hooks.json'), '{}')
  expect((await hub.post(`/api/repos/${repoId}/trust`, {})).status).toBe(200)
  expect((await hub.post('/api/sessions', { repoId })).status).toBe(201)

  const body = JSON.stringify({ name: 'Mine', command: process.execPath })
  const headers = { 'content-type': 'application/json' }
  const added = await hub.fetch('/api/extensions/mine', { method: 'PUT', headers, body })
  expect(added.status).toBe(200)
  const refused = await hub.post('/api/sessions', { repoId })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('.mine/hooks.json')
})

test('trust counts for the folder that the agent works in, and for the files that were shown', async () => {
  await using hub = await startTestHub({ env: { QUAYSIDE_TRUST: 'ask' } })
  const { id: repoId, path } = await hub.firstRepo()
  const config = join(path, 'sub', '.gemini', 'settings.json')
  mkdirSync(join(path, 'sub', '.gemini'), { recursive: true })
  writeFileSync(config, '{"mcpServers":{"one":{"command":"touch"}}}')
  const trust = (body: object) => hub.post(`/api/repos/${repoId}/trust`, body)
  expect((await trust({})).status).toBe(200)
  const session = await hub.createSession()

  const inSub = { settings: { cwd: 'sub' } }
  const headers = { 'content-type': 'application/json' }
  const move = () =>
    hub.fetch(session.path, { method: 'PATCH', headers, body: JSON.stringify(inSub) })
  expect((await move()).status).toBe(409)
  const refused = await hub.post('/api/sessions', { repoId, ...inSub })
  expect(refused.status).toBe(409)
  const { error } = (await refused.json()) as {
    error: { details: { files: string[]; hash: string; cwd: string } }
  }
  const { files, hash, cwd } = error.details
  expect(files).toEqual(['sub/.gemini/settings.json'])

  writeFileSync(config, '{"mcpServers":{"two":{"command":"rm"}}}')
  const changed = await trust({ hash, cwd })
  expect(changed.status).toBe(409)
  expect(await changed.json()).toMatchObject({
    error: { code: 'repo_untrusted', details: { hasChanged: true } },
  })
  writeFileSync(config, '{"mcpServers":{"one":{"command":"touch"}}}')
  expect((await trust({ hash, cwd })).status).toBe(200)
  expect((await move()).status).toBe(200)
  // The repository itself is still trusted.
  expect((await hub.post('/api/sessions', { repoId })).status).toBe(201)
  expect((await trust({ cwd: 'nowhere' })).status).toBe(422)
})
