// A folder of the page may import only folders below it in this list, so that no two folders import each other.
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { crowded, type Source, sourcesOf, violations } from './import-direction.js'

/** The folders from top to bottom; `.` is main.tsx and app.tsx, which build everything. */
const LAYERS = [
  '.',
  'shell',
  'palette',
  'settings',
  'settings/devices',
  'home/welcome',
  'home',
  'compare',
  'session',
  'panels',
  'panels/wire',
  'panels/terminals',
  'panels/files',
  'panels/preview',
  'panels/changes',
  'panels/parts',
  'session/decision',
  'session/transcript',
  'session/rows',
  'session/undo',
  'session/fork',
  'session/workspace',
  'session/cards',
  'session/markdown',
  'session/context',
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

test('imports point one way', () => {
  const files = sourcesOf('web')
  expect(files.length).toBeGreaterThan(200)
  expect(violations(files, LAYERS)).toEqual([])
})

test('no source of the page imports the table of commands, whose schemas its bundle would carry', () => {
  const imported = ({ text }: Source): boolean =>
    /(?:from|import)\s*\(?\s*'@quayside\/(?:protocol\/schemas|client\/(?:commands|testing))'/.test(
      text,
    )
  const planted = {
    file: 'app.tsx',
    text: "import { commandsOf } from '@quayside/client/commands'",
  }
  expect([...sourcesOf('web'), planted].filter(imported)).toEqual([planted])
})

test('every folder with sources is a layer of its own, and none is crowded', () => {
  const sources = sourcesOf('web')
  const folders = new Set(sources.map(({ file }) => dirname(file)))
  expect([...folders].filter((folder) => !LAYERS.includes(folder))).toEqual([])
  expect(crowded(sources, MOST_FILES)).toEqual([])
})

test.each([
  ['shared/store.ts', '../hub/hub-context.js', 'hub/hub-context.ts'],
  ['shared/text/plural.ts', '../store.js', 'shared/store.ts'],
  ['strings/en/shell.ts', '../../shared/preferences.js', 'shared/preferences.ts'],
  ['sessions/session-row.tsx', '../home/home-page.js', 'home/home-page.ts'],
  ['composer/composer.tsx', '../session/session-page.js', 'session/session-page.ts'],
  ['session/markdown/inline.tsx', '../cards/diff.js', 'session/cards/diff.ts'],
  ['session/rows/prompt.tsx', '../session-page.js', 'session/session-page.ts'],
  ['panels/files/file-view.tsx', '../session-panels.js', 'panels/session-panels.ts'],
  ['panels/changes/patches.ts', '../files/file-view.js', 'panels/files/file-view.ts'],
])('the rule catches a planted violation in %s', (file, target, found) => {
  for (const text of [`import { one } from '${target}'`, `await import('${target}')`])
    expect(violations([{ file, text }], LAYERS)).toEqual([`${file} imports ${found}`])
})
