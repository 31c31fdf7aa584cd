// A user's own extensions: added, changed and removed while the hub runs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorBody, Extension, SessionSummary } from '@quayside/protocol'
import type { Probe } from '@quayside/protocol/schemas'
import { expect, test } from 'vitest'
import { startTestHub, type TestHub } from './test-hub.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))
const MINE = { name: 'Mine', command: process.execPath, args: [DEMO] }

test('an agent that was added works at once, and is gone with its keys when it is removed', async () => {
  await using hub = await startTestHub()
  const secrets = { MINE_API_KEY: 'a-secret-of-mine' }
  const answer = await put(hub, 'mine', { ...MINE, env: { MINE_REGION: 'eu' }, secrets })
  expect(answer.status).toBe(200)
  expect(await answer.text()).not.toContain('a-secret-of-mine')

  expect(await find(hub, 'mine')).toMatchObject({ name: 'Mine', isOwn: true, installed: true })
  expect(await find(hub, 'demo')).not.toHaveProperty('isOwn')
  const probe = (await (await hub.post('/api/extensions/mine/probe', {})).json()) as Probe
  expect(probe.state).toBe('ready')
  const session = await hub.createSession('mine')
  await session.prompt('echo hello')
  await session.feed.until('turn.ended')
  const manifest = readFileSync(join(hub.folder, 'data/extensions/acp/mine/manifest.json'), 'utf8')
  expect(manifest).toContain('MINE_REGION')
  expect(manifest).not.toContain('a-secret-of-mine')

  expect((await remove(hub, 'mine')).status).toBe(204)
  expect(await find(hub, 'mine')).toBeUndefined()
  expect((await remove(hub, 'mine')).status).toBe(404)
  expect(readFileSync(join(hub.folder, 'data/secrets.json'), 'utf8')).not.toContain('a-secret')
  await session.prompt('echo still here')
  await session.feed.until('turn.ended')
})

test('changing an agent counts for the sessions that start then', async () => {
  await using hub = await startTestHub()
  await put(hub, 'mine', { ...MINE, command: 'no-such-program-anywhere' })
  const { id: repoId } = await hub.firstRepo()
  const refused = await hub.post('/api/sessions', { repoId, extensionId: 'mine' })
  expect(await codeOf(refused)).toBe('agent_not_installed')

  await put(hub, 'mine', { ...MINE, name: 'Still mine' })
  const created = await hub.post('/api/sessions', { repoId, extensionId: 'mine' })
  expect(((await created.json()) as SessionSummary).status).toBe('active')
  expect(await find(hub, 'mine')).toMatchObject({ name: 'Still mine' })
})

test('a shipped agent cannot be changed, and an invalid manifest is refused with its field', async () => {
  await using hub = await startTestHub()
  expect(await codeOf(await put(hub, 'demo', MINE))).toBe('extension_not_own')
  expect(await codeOf(await remove(hub, 'demo'))).toBe('extension_not_own')
  expect(await find(hub, 'demo')).toMatchObject({ state: 'enabled' })

  for (const id of ['Mine', '..%2Fmine', '7'])
    expect(await codeOf(await put(hub, id, MINE))).toBe('invalid_extension')
  await put(hub, 'mine', MINE)
  const wrong = await put(hub, 'mine', { ...MINE, args: ['${NOBODY_KNOWS}'] })
  expect(wrong.status).toBe(422)
  const { error } = (await wrong.json()) as ErrorBody
  expect(error.message).toContain('NOBODY_KNOWS')
  expect(error.message).not.toContain(hub.folder)
  expect((await put(hub, 'mine', { ...MINE, env: { 'NO NAME': '' } })).status).toBe(400)
  expect(await find(hub, 'mine')).toMatchObject({ state: 'enabled' })
  const manifest = readFileSync(join(hub.folder, 'data/extensions/acp/mine/manifest.json'), 'utf8')
  expect(manifest).not.toContain('NOBODY_KNOWS')
})

function put(hub: TestHub, id: string, agent: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return hub.fetch(`/api/extensions/${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(agent),
  })
}

function remove(hub: TestHub, id: string): Promise<Response> {
  return hub.fetch(`/api/extensions/${id}`, { method: 'DELETE' })
}

async function find(hub: TestHub, id: string): Promise<Extension | undefined> {
  const { extensions } = await hub.get<{ extensions: Extension[] }>('/api/extensions')
  return extensions.find((extension) => extension.id === id)
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as ErrorBody).error.code
}
