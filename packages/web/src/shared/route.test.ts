import { expect, test } from 'vitest'
import { newSessionPath, repoPath, routeOf, sessionPath } from './route.js'

const at = (path: string) => routeOf(new URL(path, 'http://hub.example'))
const nowhere = { tab: undefined, file: undefined, line: undefined, terminal: undefined }
const inSession = { page: 'session', id: 's1', ...nowhere, item: undefined }

test.each([
  ['/', { page: 'home' }],
  [newSessionPath({ repo: 'shop', prompt: 'a & b' }), { repo: 'shop', prompt: 'a & b' }],
  ['/s/s1', inSession],
  ['/s/s1/wire', { ...inSession, tab: 'wire' }],
  ['/s/s1/terminals', { ...inSession, tab: 'terminals' }],
  ['/s/s1#content', inSession],
  ['/s/s1/files?file=a.ts&line=0x', { ...inSession, tab: 'files', file: 'a.ts' }],
  ['/repos/r1', { page: 'repo', id: 'r1' }],
  ['/agents', { page: 'settings', name: 'agents' }],
  ['/settings', { page: 'settings', name: undefined }],
  ['/settings/storage', { page: 'settings', name: 'storage' }],
])('%s names a page', (path, route) => {
  expect(at(path)).toMatchObject(route)
})

test.each([
  '/nothing',
  '/s',
  '/s/s1/other',
  '/s/s1/wire/more',
  '/repos',
  '/settings/other',
  '/agents/x',
])('%s names nothing', (path) => expect(at(path)).toEqual({ page: 'missing' }))

test('a route survives the round trip through its path, whatever its names contain', () => {
  const location = { file: 'src/a b?#%.ts', line: 7, terminal: 't&1' }
  const named = { tab: 'changes', ...location, item: 'user:é/1' } as const
  expect(at(sessionPath('a/b%', named))).toEqual({ page: 'session', id: 'a/b%', ...named })
  expect(at(repoPath('a/b'))).toEqual({ page: 'repo', id: 'a/b' })
  expect(at('/s/%E0%A4%A')).toMatchObject({ page: 'session', id: '%E0%A4%A' })
})
