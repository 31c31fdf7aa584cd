// An agent's access to the files of a repository, on real files: unusual names, line ranges, writes, refusals.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfinedFiles } from '../src/repos/files/confined-files.js'
import { isSensitivePath } from '../src/repos/files/sensitive-paths.js'
import { descriptorEntries, pathEntries } from '../src/repos/files/file-entries.js'

const LEGAL_NAMES = [
  ['with space', ' leading', 'trailing ', 'two\nlines', 'tab\tname', 'bell\u0007', 'cr\rname'],
  ['🚢', 'naïve', 'nai\u0308ve', '漢字.txt', 'שלום', '\u202egnp.exe', '\u200bzero', 'ﬀ'],
  ['-rf', '--help', '...', '....', '..a', 'a..', '.hidden'],
  ['~', '~root', '$HOME', '$(id)', '`id`', '%2e%2e', '%00', '\\', '..\\..\\x', 'C:\\x', 'C:'],
  ['*', '?', '[a]', '{a,b}', '"', "'", '|', '<>', '&', ';', '#', '!', 'a=b', 'nul', 'con.txt'],
  ['x'.repeat(255), '漢'.repeat(85), 'file (deleted)', '.gitignore', 'proc', 'dev', '\ufffd'],
].flat()

let folder: string
let root: string
let files: ConfinedFiles

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-files-')))
  root = join(folder, 'repo')
  mkdirSync(root)
  files = new ConfinedFiles(root)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['descriptors', descriptorEntries],
  ['paths', pathEntries],
])('by %s', (name, entries) => {
  const supported = name === 'paths' || process.platform === 'linux'

  test.runIf(supported)('every legal name can be written, then read', async () => {
    const files = new ConfinedFiles(root, entries)
    expect(new Set(LEGAL_NAMES).size).toBeGreaterThanOrEqual(50)
    for (const name of LEGAL_NAMES)
      for (const path of [join(root, name), `${root}/in ${name.slice(0, 60)}/deeper/${name}`]) {
        const content = `first of ${name}\r\nsecond\r\n\ufeffno end`
        await files.writeTextFile({ path, content })
        expect(await files.readTextFile({ path })).toBe(content)
        expect(readFileSync(path, 'utf8')).toBe(content)
      }
  })

  test.runIf(supported)(
    'links that stay inside work, and so does a linked repository',
    async () => {
      mkdirSync(join(root, 'src/deep'), { recursive: true })
      mkdirSync(join(root, 'links'))
      writeFileSync(join(root, 'src/a.ts'), 'a')
      symlinkSync('../src/a.ts', join(root, 'links/relative'))
      symlinkSync(join(root, 'src/a.ts'), join(root, 'links/absolute'))
      symlinkSync('relative', join(root, 'links/chain'))
      symlinkSync('../src/deep', join(root, 'links/folder'))
      symlinkSync(root, join(folder, 'alias'))
      symlinkSync('repo/src', join(folder, 'alias-of-src'))
      symlinkSync(join(folder, 'alias/src'), join(root, 'links/by-alias'))
      const inside = [
        `${root}/links/relative`,
        `${root}/links/absolute`,
        `${root}/links/chain`,
        `${root}/links/by-alias/a.ts`,
        `${root}/links/folder/../a.ts`,
        `${root}/src/deep/../../src/./a.ts`,
        `//${root}///src//a.ts`,
        `${folder}/alias/src/a.ts`,
        `${folder}/alias/links/by-alias/a.ts`,
        `${folder}/alias-of-src/a.ts`,
      ]
      for (const pinned of [root, join(folder, 'alias')]) {
        const files = new ConfinedFiles(pinned, entries)
        for (const path of inside) {
          await files.writeTextFile({ path, content: path })
          expect(await files.readTextFile({ path })).toBe(path)
          expect(await files.locate(path)).toBe('src/a.ts')
        }
        await files.writeTextFile({ path: `${root}/links/folder/new/b.ts`, content: 'b' })
        expect(readFileSync(join(root, 'src/deep/new/b.ts'), 'utf8')).toBe('b')
      }
    },
  )
})

test('a range counts lines from 1 and keeps their ends, so ranges join to the file', async () => {
  const path = join(root, 'lines')
  await files.writeTextFile({ path, content: 'one\ntwo\r\n\nfour\rstill four\nfive' })
  const read = (line?: number | null, limit?: number | null) =>
    files.readTextFile({ path, line, limit })
  expect(await read(1, 1)).toBe('one\n')
  expect(await read(2, 2)).toBe('two\r\n\n')
  expect(await read(4)).toBe('four\rstill four\nfive')
  expect(await read(undefined, 2)).toBe('one\ntwo\r\n')
  expect(await read(null, null)).toBe(await read())
  expect(await read(0, 1)).toBe('one\n')
  expect(await read(5, 100)).toBe('five')
  expect(await read(6, 1)).toBe('')
  expect(await read(1000)).toBe('')
  expect(await read(1, 0)).toBe('')
  expect((await read(1, 2)) + (await read(3, 2)) + (await read(5, 2))).toBe(await read())
})

test('up to 10 MiB are read, ranges of lines also from larger files', async () => {
  const path = join(root, 'large')
  const line = `${'x'.repeat(1023)}\n`
  writeFileSync(path, line.repeat(10 * 1024))
  expect(await files.readTextFile({ path })).toHaveLength(10 * 1024 * 1024)
  writeFileSync(path, `${line.repeat(30 * 1024)}end`)
  await expect(files.readTextFile({ path })).rejects.toMatchObject({ code: 'too_large' })
  await expect(files.readTextFile({ path, line: 2 })).rejects.toMatchObject({ code: 'too_large' })
  expect(await files.readTextFile({ path, line: 30 * 1024 + 1, limit: 5 })).toBe('end')
  expect(await files.readTextFile({ path, line: 20_000, limit: 300 })).toBe(line.repeat(300))
  truncateSync(path, 2 ** 40)
  const beyond = files.readTextFile({ path, line: 50_000, limit: 1 })
  await expect(beyond).rejects.toMatchObject({ code: 'too_large' })
})

test('bytes that are no UTF-8 become replacement characters, a byte order mark stays', async () => {
  const path = join(root, 'bytes')
  writeFileSync(path, Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x00, 0x62]))
  expect(await files.readTextFile({ path })).toBe('\ufeffa\ufffd\0b')
})

test('a write replaces all of the content and keeps mode and inode', async () => {
  const path = join(root, 'run.sh')
  writeFileSync(path, 'a much longer script')
  chmodSync(path, 0o750)
  const before = statSync(path)
  await files.writeTextFile({ path, content: 'short' })
  expect(readFileSync(path, 'utf8')).toBe('short')
  expect(statSync(path)).toMatchObject({ mode: before.mode, ino: before.ino })
  await files.writeTextFile({ path, content: '' })
  expect(statSync(path).size).toBe(0)
})

test('writes at once do not mix', async () => {
  const path = join(root, 'new/busy')
  const contents = Array.from({ length: 20 }, (_, at) => `${at}|`.repeat(1000 * ((at * 7) % 20)))
  await Promise.all(contents.map((content) => files.writeTextFile({ path, content })))
  expect(readFileSync(path, 'utf8')).toBe(contents.at(-1))
})

test('a missing file is not_found to a reader, and the message names it', async () => {
  const path = join(root, 'no/such\nfile')
  const read = files.readTextFile({ path })
  await expect(read).rejects.toMatchObject({ code: 'not_found', name: 'FileAccessError' })
  await expect(read).rejects.toThrow(JSON.stringify(path))
})

test('a hard link can be read but not written', async () => {
  writeFileSync(join(folder, 'outside'), 'shared')
  linkSync(join(folder, 'outside'), join(root, 'inside'))
  const path = join(root, 'inside')
  expect(await files.readTextFile({ path })).toBe('shared')
  await expect(files.writeTextFile({ path, content: 'x' })).rejects.toMatchObject({
    code: 'hard_link',
  })
  expect(readFileSync(path, 'utf8')).toBe('shared')
})

test('the files of git are read but never written, by any name', async () => {
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  writeFileSync(join(root, '.git/config'), '[core]')
  symlinkSync('.git/hooks', join(root, 'docs'))
  symlinkSync('.git/config', join(root, 'notes'))
  expect(await files.readTextFile({ path: join(root, 'notes') })).toBe('[core]')
  for (const name of [
    '.git/config',
    '.git/new/x',
    '.GIT/x',
    'sub/.git',
    'docs/pre-commit',
    'notes',
  ])
    await expect(
      files.writeTextFile({ path: join(root, name), content: 'x' }),
    ).rejects.toMatchObject({ code: 'protected' })
  expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe('[core]')
  expect(readdirSync(root).toSorted()).toEqual(['.git', 'docs', 'notes'])
  expect(readdirSync(join(root, '.git')).toSorted()).toEqual(['config', 'hooks'])
})

test('the caller decides about the place a path leads to', async () => {
  mkdirSync(join(root, '.claude'))
  symlinkSync('.claude', join(root, 'docs'))
  const path = join(root, 'docs/settings.json')
  const location = await files.locate(path)
  expect(location).toBe('.claude/settings.json')
  const unasked = files.writeTextFile({
    path,
    content: '{}',
    isAllowed: (place) => !isSensitivePath(place, ['.claude']),
  })
  await expect(unasked).rejects.toMatchObject({ code: 'protected' })
  expect(readdirSync(join(root, '.claude'))).toEqual([])
  await files.writeTextFile({ path, content: '{}', isAllowed: (place) => place === location })
  expect(readFileSync(join(root, location), 'utf8')).toBe('{}')
})

test('a repository that was exchanged for another folder is not used', async () => {
  renameSync(root, join(folder, 'moved'))
  mkdirSync(root)
  const path = join(root, 'file')
  await expect(files.writeTextFile({ path, content: 'x' })).rejects.toMatchObject({
    code: 'failed',
  })
  rmSync(root, { recursive: true })
  symlinkSync('moved', root)
  await expect(files.readTextFile({ path })).rejects.toMatchObject({ code: 'failed' })
  expect(existsSync(join(folder, 'moved/file'))).toBe(false)
})

test('a folder that is missing or the whole machine cannot be pinned', () => {
  expect(() => new ConfinedFiles(join(folder, 'nowhere'))).toThrow('ENOENT')
  expect(() => new ConfinedFiles('/')).toThrow('cannot be a repository')
})

test('a FIFO is refused at once and its other end receives nothing', async () => {
  const path = join(root, 'pipe')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  await expect(files.readTextFile({ path })).rejects.toMatchObject({ code: 'not_a_file' })
  await expect(files.writeTextFile({ path, content: 'x' })).rejects.toMatchObject({
    code: 'not_a_file',
  })
})
