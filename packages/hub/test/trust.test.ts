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
