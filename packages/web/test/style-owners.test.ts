// All styles share one page. A class has its own rules in one file only, because otherwise the import order would
// decide.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../src/styles')
/** A selector without ancestors: `.menu`, `.button.danger:hover`. */
const PLAIN = /^\.[\w-]+[^\s>+~]*$/

type Sheet = { readonly file: string; readonly text: string }

test('a class has its own rules in one style file', () => {
  const sheets = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }))

  expect(sheets.length).toBeGreaterThan(20)
  expect(ownedTwice(sheets)).toEqual([])
})

test('two files with rules for the same class are found, as are words for a variant of another', () => {
  const sheets = [
    { file: 'a.css', text: '.row { gap: 1px } @media (x) { .check { gap: 2px } } .list .row {}' },
    {
      file: 'b.css',
      text: '/* .note {} */ .line.check { gap: 1px } .row:hover, .box { gap: 2px }',
    },
    { file: 'c.css', text: '.list .row {} .note {}' },
  ]
  expect(ownedTwice(sheets)).toEqual(['check: a.css, b.css', 'row: a.css, b.css'])
})

/** Classes with their own rules in several files; a variant counts when the bare class has rules elsewhere. */
function ownedTwice(sheets: readonly Sheet[]): string[] {
  const owners = new Map<string, Set<string>>()
  const variants = new Map<string, Set<string>>()
  for (const { file, text } of sheets)
    for (const classes of plainRules(text))
      classes.forEach((name, index) => {
        const kept = index === 0 ? owners : variants
        kept.set(name, (kept.get(name) ?? new Set()).add(file))
      })
  return [...owners]
    .map(
      ([name, files]) => [name, [...new Set([...files, ...(variants.get(name) ?? [])])]] as const,
    )
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.toSorted().join(', ')}`)
    .toSorted()
}

/** The classes of each selector without ancestors, in order. */
function plainRules(text: string): string[][] {
  const bare = text.replaceAll(/\/\*.*?\*\//gs, '')
  return [...bare.matchAll(/([^{}]+)\{/g)]
    .flatMap(([, selectors = '']) => selectors.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
    .filter((selector) => PLAIN.test(selector))
    .map((selector) => [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name))
}
