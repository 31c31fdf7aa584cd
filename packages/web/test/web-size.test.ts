// What a browser has to load before it shows anything, and that this stays little.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

const MAX_SCRIPT_BYTES = 220_000
const MAX_STYLE_BYTES = 25_000

test('the first load is small: 220 kB of scripts, 25 kB of styles, compressed', async () => {
  const { chunks, styles } = await buildWeb()
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
  const first = new Set<string>()
  const add = (name: string) => {
    if (first.has(name)) return
    first.add(name)
    chunks.get(name)?.imports.forEach(add)
  }
  add(entry?.fileName ?? '')

  const scripts = [...first].map((name) => gzipSync(chunks.get(name)?.code ?? '').length)
  expect(sum(scripts)).toBeGreaterThan(50_000)
  expect(sum(scripts)).toBeLessThan(MAX_SCRIPT_BYTES)
  expect(sum(styles.map((style) => gzipSync(style).length))).toBeLessThan(MAX_STYLE_BYTES)
})

type Chunk = {
  readonly fileName: string
  readonly code: string
  readonly imports: readonly string[]
  readonly isEntry: boolean
}

async function buildWeb(): Promise<{
  chunks: Map<string, Chunk>
  styles: (string | Uint8Array)[]
}> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const built = [await build({ root, logLevel: 'silent', build: { write: false } })].flat()
  const output = built.flatMap((result) => ('output' in result ? result.output : []))
  return {
    chunks: new Map(
      output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])),
    ),
    styles: output.flatMap((part) =>
      part.type === 'asset' && part.fileName.endsWith('.css') ? [part.source] : [],
    ),
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
