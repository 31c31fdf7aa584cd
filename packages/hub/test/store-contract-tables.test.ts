// The contract of the small ports, for every engine: repositories, credentials, media.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../src/store/store.js'
import { addRepo, ENGINES, type OpenStore } from './store-engines.js'
import { NOON, TempFolder } from './store-fixture.js'

describe.each(ENGINES)('small tables in $name', ({ name, open }) => {
  const bytes = name === 'SQLite' ? undefined : 'hello'
  let opened: OpenStore
  let store: Store

  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('the same media in the same session has one id', async () => {
    const use = { sha256: 'dd', sessionId: null, mimeType: 'image/png', byteLength: 5 }
    using folder = new TempFolder()
    const file = folder.write('picture', 'hello')
    const id = store.media.add(use, file)
    expect(store.media.add(use, file)).toBe(id)
    expect(store.media.add({ ...use, mimeType: 'image/webp' }, file)).not.toBe(id)
    await store.media.flush()
    expect(await store.media.find(id)).toEqual({
      sha256: 'dd',
      mimeType: 'image/png',
      byteLength: 5,
    })
    expect(await store.media.find('unknown')).toBeUndefined()
    expect(await store.media.isUsed('dd')).toBe(true)
    expect(await store.media.isUsed('ee')).toBe(false)
    await store.media.removeUnused('dd')
    const kept = await store.media.load('dd')
    expect(kept && Buffer.from(kept).toString(), 'only a shared engine has the bytes').toBe(bytes)
  })

  test('a repository keeps its id and its trust; one that a scan misses is missing until it is found', async () => {
    const { repos } = store
    const repoId = await addRepo(store)
    await repos.addTrustedHash(repoId, 'first')
    await repos.addTrustedHash(repoId, 'second')
    const found = { id: 'unused', name: 'shop', path: '/code/shop' }
    expect(await repos.remember(found, NOON + 1)).toBe(repoId)
    expect(repos.trustedHashes(repoId)).toEqual(['second', 'first'])
    const api = { id: 'api', name: 'api', path: '/code/api' }
    await repos.replaceAll([api], { startedAt: NOON + 2, endedAt: NOON + 2 })
    expect(repos.list()).toEqual([{ ...api, missing: false, createdAt: NOON + 2 }])
    expect(repos.find(repoId)).toMatchObject({ missing: true })
    expect(repos.trustedHashes('api')).toEqual([])
    await repos.replaceAll([found, api], { startedAt: NOON + 3, endedAt: NOON + 3 })
    expect(repos.list().map(({ id }) => id)).toEqual(['api', repoId])
  })

  test('a repository that a scan misses is missing also when the clock was set back since it was seen', async () => {
    const { repos } = store
    await addRepo(store)
    const added = { id: 'new', name: 'new', path: '/code/new' }
    await repos.remember(added, NOON - 5)
    await repos.replaceAll([], { startedAt: NOON - 10, endedAt: NOON - 1 })
    expect(repos.list(), 'the one that was added during the scan').toMatchObject([{ id: 'new' }])
  })

  test('a credential is found by its hash and kind until it expires or is removed', async () => {
    const { credentials } = store
    const row = { id: 'c1', kind: 'token', name: 'ci', scope: 'read', createdAt: NOON } as const
    await credentials.insert({ ...row, hash: 'h1', expiresAt: NOON + 10 })
    await credentials.insert({ ...row, id: 'c2', hash: 'h2', expiresAt: null })
    expect(await credentials.find('h1', 'token', NOON)).toEqual({
      ...row,
      lastUsedAt: null,
      expiresAt: NOON + 10,
    })
    expect(await credentials.find('h1', 'cookie', NOON)).toBeUndefined()
    expect(await credentials.find('h1', 'token', NOON + 10)).toBeUndefined()
    await credentials.recordUse('c2', NOON + 5)
    expect(await credentials.list(NOON + 10)).toMatchObject([{ id: 'c2', lastUsedAt: NOON + 5 }])
    expect(await credentials.remove('c2')).toBe(true)
    expect(await credentials.remove('c2')).toBe(false)
    const copy = { ...row, id: 'c3', hash: 'h1', expiresAt: null }
    const insert = async () => credentials.insert(copy)
    await expect(insert(), 'hashes are unique').rejects.toThrow()
  })

  test('an endpoint of push notifications belongs to one credential', async () => {
    const { credentials } = store
    for (const id of ['c1', 'c2'])
      await credentials.insert({
        id,
        kind: 'cookie',
        name: id,
        hash: id,
        scope: 'write',
        createdAt: NOON,
        expiresAt: id === 'c1' ? NOON + 10 : null,
      })
    const push = (endpoint: string) => ({ endpoint, json: JSON.stringify({ endpoint }) })
    await credentials.setPush('c1', push('https://a'))
    await credentials.setPush('c2', push('https://a'))
    expect(await credentials.findPush('c1')).toBeUndefined()
    await credentials.setPush('c1', push('https://b'))
    expect(await credentials.listPush(NOON)).toMatchObject([
      { credentialId: 'c1' },
      { credentialId: 'c2' },
    ])
    expect(await credentials.listPush(NOON + 10)).toEqual([
      { credentialId: 'c2', subscription: '{"endpoint":"https://a"}' },
    ])
    await credentials.removePush('c2')
    expect(await credentials.findPush('c2')).toBeUndefined()
  })
})
