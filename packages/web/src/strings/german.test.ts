// The German texts and number formats.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type * as sizes from '../shared/text/sizes.js'
import type * as times from '../shared/text/times.js'
import type * as texts from './de.js'
import { english } from './en.js'
import { compare } from './en/compare.js'
import { fork } from './en/fork.js'
import { undo } from './en/undo.js'
import { settingsPages } from './en/settings-pages.js'

/** The catalogue, and the texts that are loaded with their pages. */
const ENGLISH = { ...english, ...settingsPages, compare, fork, undo }
let catalogue: typeof texts.german
let german: object
let bytes: typeof sizes.bytes
let duration: typeof times.duration

// The language is read when its module is loaded, so these modules are loaded again, here and by later test files.
beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'de' } })
  vi.resetModules()
  ;({ german: catalogue } = await import('./de.js'))
  german = {
    ...catalogue,
    ...(await import('./de/settings-pages.js')).settingsPages,
    ...(await import('./de/compare.js')),
    ...(await import('./de/fork.js')),
    ...(await import('./de/undo.js')),
  }
  ;({ bytes } = await import('../shared/text/sizes.js'))
  ;({ duration } = await import('../shared/text/times.js'))
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

type Say = (...about: readonly unknown[]) => string

/** Names and words that are equal in both languages. */
const SAME = new Set([
  'about.version',
  'access.kinds.cookie',
  'access.kinds.token',
  'access.name',
  'access.wayNames.tailscale',
  'appName',
  'compare.showDiffs',
  'general.fonts.own',
  'general.languages.de',
  'general.languages.en',
  'home.agent',
  'home.repo',
  'list.scopes.extensionId',
  'list.scopes.repoId',
  'ownAgent.name',
  'ownAgent.variablePlaceholder',
  'panels.directions.stderr',
  'panels.keys.escape',
  'panels.keys.tab',
  'panels.port',
  'panels.tabs.terminals',
  'panels.typed',
  'processes.terminal',
  'session.code',
  'session.plan',
  'session.runningIn',
  'sessionSettings.agent',
  'workspace.menu',
  'workspace.ways.merge.name',
  'workspace.ways.rebase.name',
  'workspace.ways.squash.name',
])

test('every text is translated to German, except names and words that both languages share', () => {
  const inEnglish = new Map(textsOf(ENGLISH, 2))
  const same = textsOf(german, 2).filter(([name, text]) => inEnglish.get(name) === text)
  expect(same.map(([name]) => name).toSorted()).toEqual([...SAME].toSorted())
})

test.each([0, 1, 2])('every text works for a count of %i', (number) => {
  const wrong = textsOf(german, number).filter(
    ([, text]) => text.trim() === '' || /undefined|NaN|\[object/.test(text),
  )
  expect(wrong).toEqual([])
})

test('quotes, dots and spaces are those of German print', () => {
  const wrong = textsOf(german, 2).filter(([, text]) =>
    /["”‘]|\.\.\.|[^\u00A0]…|“\w|\d (?:%|MB)/.test(text.replace(/^…/, '')),
  )
  expect(wrong).toEqual([])
})

test('numbers, sizes and times are written as Germans write them', () => {
  expect(catalogue.session.showAllLines(1_234)).toBe('Alle 1.234 Zeilen zeigen')
  expect(catalogue.home.sessionCount(1)).toBe('1 Sitzung')
  expect(bytes(1_500)).toBe('1,5 kB')
  expect(duration(2_500)).toBe('2,5 s')
})

/** Every text by its key; functions are called with `number`. */
function textsOf(words: object, number: number, path = ''): [name: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const name = `${path}${key}`
    if (typeof value === 'string') return [[name, value]]
    if (typeof value === 'function') return [[name, (value as Say)(number, number, number)]]
    return textsOf(value as object, number, `${name}.`)
  })
}
