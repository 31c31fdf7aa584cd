// The size and the imports of the browser bundles.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundle } from './bundle.js'

const MAX_CORE_BYTES = 15_000
const MAX_REACT_BYTES = 10_000

test('the client is small, and carries neither schemas nor anything of Node', async () => {
  const code = await bundle('../dist/index.js')

  expect(gzipSync(code).length).toBeLessThan(MAX_CORE_BYTES)
  expect(code).not.toMatch(/zod|ZodError|safeParse/i)
  expect(code).not.toMatch(/^import\b|\bimport\(|require\(|["']node:/m)
})

test('with the hooks it is still small, and React comes from the app', async () => {
  const code = await bundle('../dist/react/index.js', ['react'])

  expect(gzipSync(code).length).toBeLessThan(MAX_REACT_BYTES)
  expect([...code.matchAll(/from\s*["`'](\w+)["`']/g)].map(([, name]) => name)).toEqual(['react'])
})
