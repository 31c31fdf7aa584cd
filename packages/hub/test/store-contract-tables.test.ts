// The contract of the small ports, for every engine: repositories, credentials, media.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../src/store/store.js'
import { addRepo, ENGINES, type OpenStore } from './store-engines.js'
import { NOON } from './store-fixture.js'

describe.each(ENGINES)('small tables in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store

  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('the same media in the same session has one id', () => {
    const use = { sha256: 'dd', sessionId: null, mimeType: 'image/png', byteLength: 5 }
    const id = store.media.add(use)
    expect(store.media.add(use)).toBe(id)
    expect(store.media.add({ ...use, mimeType: 'image/webp' })).not.toBe(id)
    expect(store.media.find(id)).toEqual({ sha256: 'dd', mimeType: 'image/png', byteLength: 5 })
    expect(store.media.find('unknown')).toBeUndefined()
    expect([store.media.isUsed('dd'), store.media.isUsed('ee')]).toEqual([true, false])
  })

  test('a repository keeps its id and its trust; one that a scan misses is missing until it is found', () => {
    const { repos } = store
    const repoId = addRepo(store)
    repos.addTrustedHash(repoId, 'first')
    repos.addTrustedHash(repoId, 'second')
    const found = { id: 'unused', name: 'shop', path: '/code/shop' }
    expect(repos.remember(found, NOON + 1)).toBe(repoId)
    expect(repos.trustedHashes(repoId)).toEqual(['second', 'first'])
    const api = { id: 'api', name: 'api', path: '/code/api' }
    repos.replaceAll([api], NOON + 2)
    expect(repos.list()).toEqual([{ ...api, missing: false, createdAt: NOON + 2 }])
    expect(repos.find(repoId)).toMatchObject({ missing: true })
    expect(repos.trustedHashes('api')).toEqual([])
    repos.replaceAll([found, api], NOON + 3)
    expect(repos.list().map(({ id }) => id)).toEqual(['api', repoId])
  })

  test('a credential is found by its hash and kind until it expires or is removed', () => {
    const { credentials } = store
    const row = { id: 'c1', kind: 'token', name: 'ci', scope: 'read', createdAt: NOON } as const
    credentials.insert({ ...row, hash: 'h1', expiresAt: NOON + 10 })
    credentials.insert({ ...row, id: 'c2', hash: 'h2', expiresAt: null })
    expect(credentials.find('h1', 'token', NOON)).toEqual({
      ...row,
      lastUsedAt: null,
      expiresAt: NOON + 10,
    })
    expect(credentials.find('h1', 'cookie', NOON)).toBeUndefined()
    expect(credentials.find('h1', 'token', NOON + 10)).toBeUndefined()
    credentials.recordUse('c2', NOON + 5)
    expect(credentials.list(NOON + 10)).toMatchObject([{ id: 'c2', lastUsedAt: NOON + 5 }])
    expect([credentials.remove('c2'), credentials.remove('c2')]).toEqual([true, false])
    const copy = { ...row, id: 'c3', hash: 'h1', expiresAt: null }
    expect(() => credentials.insert(copy), 'hashes are unique').toThrow()
  })

  test('an endpoint of push notifications belongs to one credential', () => {
    const { credentials } = store
    for (const id of ['c1', 'c2'])
      credentials.insert({
        id,
        kind: 'cookie',
        name: id,
        hash: id,
        scope: 'write',
        createdAt: NOON,
        expiresAt: id === 'c1' ? NOON + 10 : null,
      })
    const push = (endpoint: string) => ({ endpoint, json: JSON.stringify({ endpoint }) })
    credentials.setPush('c1', push('https://a'))
    credentials.setPush('c2', push('https://a'))
    expect(credentials.findPush('c1')).toBeUndefined()
    credentials.setPush('c1', push('https://b'))
    expect(credentials.listPush(NOON).map(({ credentialId }) => credentialId)).toEqual(['c1', 'c2'])
    expect(credentials.listPush(NOON + 10)).toEqual([
      { credentialId: 'c2', subscription: '{"endpoint":"https://a"}' },
    ])
    credentials.removePush('c2')
    expect(credentials.findPush('c2')).toBeUndefined()
  })
})
