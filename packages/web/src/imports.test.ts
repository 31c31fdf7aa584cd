// A folder of the page may import only folders below it in this list, so that no two folders import each other.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('.', import.meta.url))
/** The folders from top to bottom; `.` is main.tsx and app.tsx, which build everything. */
const LAYERS = [
  '.',
  'shell',
  'palette',
  'settings',
  'session',
  'panels',
  'panels/wire',
  'panels/terminals',
  'panels/files',
  'panels/changes',
  'panels/parts',
  'session/decision',
  'session/transcript',
  'session/rows',
  'session/cards',
  'session/markdown',
  'session/context',
  'home',
  'composer',
  'drafts',
  'shortcuts',
  'attention',
  'sessions',
  'repos',
  'agents',
  'hub',
  'shared/controls',
  'shared',
  'strings',
  'strings/de',
  'strings/en',
  'shared/text',
  'workers',
  'code',
  'styles',
]
const MOST_FILES = 16

type Source = { readonly file: string; readonly text: string }

function violations(files: readonly Source[]): string[] {
  return files.flatMap(({ file, text }) =>
    relativeImports(file, text)
      .filter((target) => rank(target) < rank(file))
      .map((target) => `${file} imports ${target}`),
  )
}

function relativeImports(file: string, text: string): string[] {
  const imports = text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^'?]+)[^']*'/g)
  return [...imports].map(([, target]) => relative(SRC, join(SRC, dirname(file), target!)))
}

/** The position of the innermost folder in the list that contains the file. */
function rank(file: string): number {
  const found = foldersAround(file)
    .map((folder) => LAYERS.indexOf(folder))
    .find((at) => at >= 0)
  if (found === undefined) throw new Error(`${file} is in a folder that is not a layer`)
  return found
}

function foldersAround(file: string): string[] {
  const folder = dirname(file)
  return folder.includes('/') ? [folder, ...foldersAround(folder)] : [folder]
}

function sourceFiles(): Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
}

test('imports point one way', () => {
  const files = sourceFiles()
  expect(files.length).toBeGreaterThan(200)
  expect(violations(files)).toEqual([])
})

test('every folder with sources is a layer of its own, and none is crowded', () => {
  const counts = new Map<string, number>()
  for (const { file } of sourceFiles())
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)

  expect([...counts.keys()].filter((folder) => !LAYERS.includes(folder))).toEqual([])
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([])
})

test.each([
  ['shared/store.ts', '../hub/hub-context.js', 'hub/hub-context.js'],
  ['shared/text/plural.ts', '../store.js', 'shared/store.js'],
  ['strings/en/shell.ts', '../../shared/preferences.js', 'shared/preferences.js'],
  ['sessions/session-row.tsx', '../home/home-page.js', 'home/home-page.js'],
  ['composer/composer.tsx', '../session/session-page.js', 'session/session-page.js'],
  ['session/markdown/inline.tsx', '../cards/diff.js', 'session/cards/diff.js'],
  ['session/rows/prompt.tsx', '../session-page.js', 'session/session-page.js'],
  ['panels/files/file-view.tsx', '../session-panels.js', 'panels/session-panels.js'],
  ['panels/changes/patches.ts', '../files/file-view.js', 'panels/files/file-view.js'],
])('the rule catches a planted violation in %s', (file, target, found) => {
  for (const text of [`import { one } from '${target}'`, `await import('${target}')`])
    expect(violations([{ file, text }])).toEqual([`${file} imports ${found}`])
})
