// Parsing of git's output: names may contain blanks, tabs and line breaks, and a patch may look like another.
import { expect, test } from 'vitest'
import { isInnerPath, toPathArgument } from './git.js'
import { parseListing } from './git-settings.js'
import { parseStatus } from './status-lines.js'
import { parseRawAndCounts, splitPatches } from './tree-diff-output.js'

const nul = (...fields: string[]) => Buffer.from(fields.map((field) => `${field}\0`).join(''))
const ID = '0'.repeat(40)

test('status lines of every kind', () => {
  const { branch, lines } = parseStatus(
    nul(
      `# branch.oid ${ID}`,
      '# branch.head größe',
      '# branch.upstream origin/x',
      '# branch.ab +2 -1',
      `1 .M N... 100644 100644 100644 ${ID} ${ID} a b\tc`,
      `1 .M SC.. 160000 160000 160000 ${ID} ${ID} library`,
      `2 R. N... 100644 100644 100644 ${ID} ${ID} R90 new name`,
      '? old name',
      `u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} both`,
      '? un\ntracked',
    ),
  )
  expect(branch).toEqual({ name: 'größe', commit: ID, upstream: 'origin/x', ahead: 2, behind: 1 })
  expect(lines.map(({ staged, unstaged, path }) => `${staged}${unstaged} ${path}`)).toEqual([
    '.M a b\tc',
    '.M library',
    'R. new name',
    'UU both',
    '?? un\ntracked',
  ])
  expect(lines[1]?.isSubmodule).toBe(true)
  expect(lines[2]?.oldPath).toBe('? old name')
})

test('raw lines and line counts belong together by name', () => {
  const raw = (letter: string, mode = '100644') => `:${mode} ${mode} ${ID} ${ID} ${letter}`
  const changes = parseRawAndCounts(
    nul(
      raw('M'),
      ':odd\tname',
      raw('R095'),
      'old',
      'new',
      raw('A'),
      'picture',
      raw('M', '160000'),
      'library',
      '1\t2\t:odd\tname',
      '3\t0\t',
      'old',
      'new',
      '-\t-\tpicture',
      '1\t1\tlibrary',
    ),
  )
  expect(changes).toMatchObject([
    { path: ':odd\tname', letter: 'M', added: 1, removed: 2, isBinary: false },
    { path: 'new', oldPath: 'old', letter: 'R', added: 3, removed: 0 },
    { path: 'picture', letter: 'A', isBinary: true },
    { path: 'library', isSubmodule: true },
  ])
})

test('patches are cut at their headers only, and not at all when they do not fit', () => {
  const change = (path: string, letter = 'M') => ({
    path,
    letter,
    blob: '',
    isBinary: false,
    isSubmodule: false,
  })
  const [a, b] = [change('a'), change('b', 'T')]
  const output =
    'diff --git a/a b/a\n+diff --git a/x b/x\ndiff --git a/b b/b\n-1\ndiff --git a/b b/b\n+2\n'
  const patches = splitPatches(output, [a, b])
  expect(patches.get(a)).toBe('diff --git a/a b/a\n+diff --git a/x b/x\n')
  expect(patches.get(b)).toBe('diff --git a/b b/b\n-1\ndiff --git a/b b/b\n+2\n')
  expect(splitPatches(output, [a]).size).toBe(0)
})

test('settings with and without a value', () => {
  expect(
    parseListing(
      'local\0file:/r/config\0core.bare\nfalse\0global\0file:/h\0a.b.c\nx\ny\0command\0command line:\0d.e\0',
    ),
  ).toEqual([
    { scope: 'local', origin: 'file:/r/config', name: 'core.bare', value: 'false' },
    { scope: 'global', origin: 'file:/h', name: 'a.b.c', value: 'x\ny' },
    { scope: 'command', origin: 'command line:', name: 'd.e', value: 'true' },
  ])
})

test('a path is inside, or it is refused', () => {
  expect(['a', 'a/b', '-x', '..a', 'a..b', '.github/x'].every(isInnerPath)).toBe(true)
  const outside = ['', '/a', '..', 'a/../b', '.git', 'x/.GIT/config', 'a\0b']
  expect(outside.filter(isInnerPath)).toEqual([])
  expect(toPathArgument('-x')).toBe('./-x')
  expect(() => toPathArgument('../x')).toThrow('not a path inside')
})
