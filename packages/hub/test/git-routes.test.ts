// The routes that read a repository, over a real port: answers, refusals, and files for mentions.
import pino from 'pino'
import { expect, test } from 'vitest'
import { repoReads } from '../src/api/repos.js'
import { HubError } from '../src/errors.js'
import { serveCommands } from './command-server.js'
import { TestFolder } from './git-fixture.js'

async function serve(path: string): Promise<AsyncDisposable & { get(url: string): Promise<Got> }> {
  const placeOf = async (id: string) => {
    if (id !== 'known') throw new HubError('repo_not_found', { repoId: id })
    return path
  }
  const log = pino({ level: 'silent' })
  const server = await serveCommands({ api: repoReads({ placeOf, log }) })
  return {
    async get(url) {
      const response = await fetch(`${server.address}/api/repos/${url}`)
      return { status: response.status, body: await response.json() }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

type Got = { readonly status: number; readonly body: unknown }

test('status, diff and files are returned', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init().write('src/event-log.ts', 'a\n').write('gone.ts', 'g\n')
  repo.write('.gitignore', 'dist\n').commit().remove('gone.ts')
  repo.write('src/event-log.ts', 'b\n').write('dist/out.js', 'x\n').write('catalog.ts', 'c\n')
  await using server = await serve(repo.path)

  expect(await server.get('known/status')).toMatchObject({
    status: 200,
    body: { branch: { name: 'main' }, counts: { unstaged: 2, untracked: 1 } },
  })
  expect(await server.get('known/diff?path=src')).toMatchObject({
    status: 200,
    body: { total: 1, files: [{ path: 'src/event-log.ts', added: 1, removed: 1 }] },
  })
  expect(await server.get('known/files?q=log')).toEqual({
    status: 200,
    body: { files: ['src/event-log.ts', 'catalog.ts'], total: 3 },
  })
  expect(await server.get('known/files?limit=1')).toMatchObject({ body: { files: ['.gitignore'] } })
})

test.each([
  ['unknown/status', 404, 'repo_not_found'],
  ['unknown/files', 404, 'repo_not_found'],
  ['known/files?limit=0', 400, 'bad_request'],
  ['known/files?q=a&q=b', 400, 'bad_request'],
  ['known/diff?path=', 400, 'bad_request'],
  ['known/diff?path=../secret', 403, 'path_outside_root'],
  ['known/diff?path=%00', 403, 'path_outside_root'],
])('%s is answered %i %s', async (url, status, code) => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init()
  await using server = await serve(repo.path)
  expect(await server.get(url)).toMatchObject({ status, body: { error: { code } } })
})

test('a folder that is no longer a repository is not found, and broken settings are reported', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init().write('.git/config', 'no settings')
  await using server = await serve(repo.path)
  const broken = await server.get('known/status')
  expect(broken).toMatchObject({ status: 502, body: { error: { details: { reason: 'failed' } } } })
  repo.remove('.git')
  expect(await server.get('known/diff')).toMatchObject({ status: 404 })
})
