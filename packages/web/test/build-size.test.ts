// The size of what a browser loads before the first paint.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const KB = 1_000

test('the page begins with less than 145 kB of script and styles', () => {
  const page = readFileSync(`${DIST}index.html`, 'utf8')
  expect(sizeOf(page, /(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)).toBeLessThan(145 * KB)
})

test('colours for code and comparisons are loaded only when they are needed', () => {
  const names = readdirSync(`${DIST}assets`).join(' ')
  expect(names).toMatch(/highlight-[\w-]+\.js/)
  expect(names).toMatch(/line-diff-[\w-]+\.js/)
})

/** The compressed copies of all files that the page references. */
function sizeOf(page: string, names: RegExp): number {
  const sizes = [...page.matchAll(names)].map(
    ([, name]) => readFileSync(`${DIST}${name}.br`).length,
  )
  expect(sizes.length).toBeGreaterThan(0)
  return sizes.reduce((sum, size) => sum + size, 0)
}
