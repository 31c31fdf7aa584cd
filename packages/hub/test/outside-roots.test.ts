// Repositories outside of the root folders: added by an admin who confirms it, remembered, listed and removed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorBody, Repo } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub } from './test-hub.js'

type Roots = { readonly roots: readonly { readonly path: string; readonly isAdded: boolean }[] }

let elsewhere: string
let hub: TestHub
beforeAll(async () => {
  elsewhere = mkdtempSync(join(realpathSync(tmpdir()), 'quayside-elsewhere-'))
  for (const name of ['one', 'two']) {
    mkdirSync(join(elsewhere, name, 'src'), { recursive: true })
    execFileSync('git', ['init', '--quiet', join(elsewhere, name)])
  }
  hub = await startTestHub()
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  rmSync(elsewhere, { recursive: true, force: true })
})

const add = (path: string, more: object = {}) => hub.post('/api/repos', { path, ...more })
const roots = async () => (await hub.get<Roots>('/api/roots')).roots
const paths = async () =>
  (await hub.get<{ repos: Repo[] }>('/api/repos')).repos.map(({ path }) => path)

async function errorOf(response: Response): Promise<ErrorBody['error']> {
  return ((await response.json()) as ErrorBody).error
}

test('a repository elsewhere is added after a confirmation only, also in the next life of the hub, until it is removed', async () => {
  const one = join(elsewhere, 'one')
  expect(await errorOf(await add(one))).toMatchObject({
    code: 'path_outside_root',
    message: expect.stringContaining('An admin can add it and confirm that'),
  })
  expect(await paths()).not.toContain(one)

  const added = await add(join(one, 'src'), { confirmOutsideRoot: true })
  expect([added.status, await added.json()]).toEqual([200, expect.objectContaining({ path: one })])
  expect(await paths()).toContain(one)
  expect(await roots()).toEqual([
    { path: hub.workspace, isAdded: false },
    { path: one, isAdded: true },
  ])
  // Its neighbours stay outside.
  expect(await errorOf(await add(join(elsewhere, 'two')))).toMatchObject({
    code: 'path_outside_root',
  })

  const { folder } = hub
  await hub.hub.stop()
  hub = await startTestHub({ folder })
  await hub.post('/api/repos/scan', {})
  expect(await paths()).toContain(one)

  const remove = (path: string) =>
    hub.fetch(`/api/roots?path=${encodeURIComponent(path)}`, { method: 'DELETE' })
  expect((await remove(one)).status).toBe(200)
  expect(await paths()).not.toContain(one)
  expect(await roots()).toEqual([{ path: hub.workspace, isAdded: false }])
  expect(await errorOf(await remove(hub.workspace))).toMatchObject({ code: 'not_found' })
})

test('without the scope admin a confirmation reveals nothing about folders elsewhere', async () => {
  const created = await hub.post('/api/tokens', { name: 'writer', scope: 'write' })
  const { token } = (await created.json()) as { token: string }
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ path, confirmOutsideRoot: true })
    return errorOf(await hub.fetch('/api/repos', { method: 'POST', headers, body }))
  }
  const [there, missing] = [await ask(join(elsewhere, 'two')), await ask('/no/such/folder')]
  expect(there).toMatchObject({ code: 'scope_too_small' })
  expect(missing).toEqual(there)
})

test('a folder that is in no repository, or has the hub’s own data, is not added', async () => {
  const confirmed = { confirmOutsideRoot: true }
  expect(await errorOf(await add(elsewhere, confirmed))).toMatchObject({ code: 'repo_not_found' })
  expect(await errorOf(await add('relative', confirmed))).toMatchObject({ code: 'repo_not_found' })
  // The data directory is in it.
  execFileSync('git', ['init', '--quiet', hub.folder])
  expect(await errorOf(await add(hub.folder, confirmed))).toMatchObject({
    code: 'path_outside_root',
    message: expect.stringContaining("the hub's own data"),
  })
  expect((await roots()).filter(({ isAdded }) => isAdded)).toEqual([])
})
