// The size and the imports of the browser bundles.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundle } from './bundle.js'

const MAX_CORE_BYTES = 15_000
const MAX_REACT_BYTES = 10_000

test('the client is small, and carries neither schemas nor anything of Node', async () => {
  const code = await bundle('../dist/index.js')

  expectBelow(MAX_CORE_BYTES, code)
  expect(code).not.toMatch(/zod|ZodError|safeParse/i)
  expect(code).not.toMatch(/^import\b|\bimport\(|require\(|["']node:/m)
})

test('with the hooks it is still small, and React comes from the app', async () => {
  const code = await bundle('../dist/react/index.js', ['react'])

  expectBelow(MAX_REACT_BYTES, code)
  expect([...code.matchAll(/from\s*["`'](\w+)["`']/g)].map(([, name]) => name)).toEqual(['react'])
})

function expectBelow(limit: number, code: string): void {
  const { length } = gzipSync(code)
  expect(
    length,
    `The bundle has ${length} bytes, gzipped; fewer than ${limit} are allowed`,
  ).toBeLessThan(limit)
}
