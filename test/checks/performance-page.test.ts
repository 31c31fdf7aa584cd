// docs/performance.md and its plots agree with the stored results. Results that are older than the code are reported, not refused.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IMAGES, PAGE, renderPage } from '../../bench/report/page.mjs'
import { staleResults } from '../../bench/report/results.mjs'

const HINT = 'run: npm run bench -- --write'

test('the page about performance is what the stored results say', () => {
  expect(readFileSync(PAGE, 'utf8'), HINT).toBe(renderPage().page)
})

test('its plots are those of the stored results', () => {
  const files = readdirSync(IMAGES).map((name) => [
    name,
    readFileSync(new URL(name, IMAGES), 'utf8'),
  ])
  expect(Object.fromEntries(files), HINT).toEqual(renderPage().plots)
})

test('results that are older than the code are reported', () => {
  const stale = staleResults({ relay: { sources: 'another hash', commit: 'abc' } })
  expect(stale).toEqual(['relay: stale, measured at abc'])
  const own = staleResults()
  if (own.length > 0) console.log(`Published results:\n  ${own.join('\n  ')}`)
})
