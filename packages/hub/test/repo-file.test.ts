// Reading one file of a repository on a real hub: its content, and every refused way out of the repository.
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub } from './test-hub.js'

const SECRET = 'a secret outside of the repository'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let hub: TestHub
let repoId: string
let repo: string
beforeAll(async () => {
  hub = await startTestHub()
  repoId = (await hub.firstRepo()).id
  repo = join(hub.workspace, 'shop-api')
  writeFileSync(join(hub.folder, 'secret.txt'), SECRET)
  writeFileSync(join(hub.workspace, 'secret.txt'), SECRET)
  mkdirSync(join(repo, 'src'))
})
afterAll(() => hub[Symbol.asyncDispose]())

async function read(path: string): Promise<{ status: number; text: string; body: unknown }> {
  const response = await hub.fetch(`/api/repos/${repoId}/file?path=${encodeURIComponent(path)}`)
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

test('text is read in its current state, by any name', async () => {
  for (const path of ['src/shop.ts', 'a name\nwith \u202e"all" <b>#%?&.txt', '-rf', 'ä/€😀.md']) {
    mkdirSync(join(repo, path, '..'), { recursive: true })
    writeFileSync(join(repo, path), `in ${path}`)
    const { status, body } = await read(path)
    const byteLength = Buffer.byteLength(`in ${path}`)
    expect({ status, body }).toEqual({
      status: 200,
      body: { path, byteLength, kind: 'text', text: `in ${path}` },
    })
  }
})

test('pictures come as pictures, by their bytes and not by their names', async () => {
  writeFileSync(join(repo, 'flag.txt'), PNG)
  writeFileSync(join(repo, 'fake.png'), '<script>alert(1)</script>')
  writeFileSync(join(repo, 'drawn.svg'), '<svg onload="alert(1)"/>')
  expect((await read('flag.txt')).body).toEqual({
    path: 'flag.txt',
    byteLength: PNG.length,
    kind: 'image',
    mimeType: 'image/png',
    base64: PNG.toString('base64'),
  })
  expect((await read('fake.png')).body).toMatchObject({ kind: 'text' })
  expect((await read('drawn.svg')).body).toMatchObject({ kind: 'text' })
})

test('binary, large and empty files are reported as such', async () => {
  writeFileSync(join(repo, 'tool.bin'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))
  writeFileSync(join(repo, 'long.txt'), 'x'.repeat(1024 * 1024 + 1))
  writeFileSync(join(repo, 'huge.png'), Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]))
  writeFileSync(join(repo, 'empty'), '')
  expect((await read('tool.bin')).body).toEqual({
    path: 'tool.bin',
    byteLength: 6,
    kind: 'binary',
  })
  for (const path of ['long.txt', 'huge.png'])
    expect((await read(path)).body).toMatchObject({ path, kind: 'large' })
  expect((await read('empty')).body).toMatchObject({ kind: 'text', text: '', byteLength: 0 })
})

test('a link is followed inside of the repository and nowhere else', async () => {
  writeFileSync(join(repo, 'real.txt'), 'inside')
  symlinkSync('../real.txt', join(repo, 'src', 'near.txt'))
  symlinkSync(join(repo, 'real.txt'), join(repo, 'absolute.txt'))
  for (const path of ['src/near.txt', 'absolute.txt'])
    expect((await read(path)).body).toMatchObject({ path, text: 'inside' })

  symlinkSync('../secret.txt', join(repo, 'out.txt'))
  symlinkSync(join(hub.folder, 'secret.txt'), join(repo, 'far.txt'))
  symlinkSync('..', join(repo, 'up'))
  symlinkSync('/', join(repo, 'machine'))
  symlinkSync('loop', join(repo, 'loop'))
  const ways = ['out.txt', 'far.txt', 'up/secret.txt', 'machine/etc/passwd', 'up/up/secret.txt']
  for (const path of ways) {
    const { status, text, body } = await read(path)
    expect({ path, status }).toEqual({ path, status: 403 })
    expect(body).toMatchObject({ error: { code: 'path_outside_root' } })
    expect(text).not.toContain(SECRET)
  }
  expect((await read('loop')).status).toBe(422)
})

test.each([
  ['../secret.txt', 403],
  ['src/../../secret.txt', 403],
  ['../../secret.txt', 403],
  ['./././../secret.txt', 403],
  ['src/%2e%2e/%2e%2e/secret.txt', 404],
  ['..\\secret.txt', 404],
  ['/etc/passwd', 400],
  ['//etc/passwd', 400],
  ['src\0.ts', 400],
  ['x'.repeat(300), 400],
  ['y/'.repeat(2100), 400],
  ['', 400],
  ['nothing.txt', 404],
  ['nothing/../README.md', 404],
  ['README.md/inner', 422],
  ['src', 422],
  ['.', 422],
  ['..', 422],
])('%j is refused with %i and reveals nothing', async (path, expected) => {
  const { status, text } = await read(path)
  expect(status).toBe(expected)
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('root:')
})

test('a pipe without a writer does not block the hub', async () => {
  execFileSync('mkfifo', [join(repo, 'pipe')])
  expect((await read('pipe')).status).toBe(422)
})

test('a second name of a file is a file', async () => {
  writeFileSync(join(repo, 'first.txt'), 'one')
  linkSync(join(repo, 'first.txt'), join(repo, 'second.txt'))
  expect((await read('second.txt')).body).toMatchObject({ text: 'one' })
})

test('an unknown repository has no files', async () => {
  const response = await hub.fetch('/api/repos/nowhere/file?path=README.md')
  expect(response.status).toBe(404)
  const none = await hub.fetch(`/api/repos/${repoId}/file`)
  expect(none.status).toBe(400)
})
