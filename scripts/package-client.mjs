// Lays out the npm package `@quayside/client` so that it stands alone: the protocol is bundled in, and zod is not needed.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { writeClientTypes } from './client-types.mjs'
import { ROOT } from './setup.mjs'

const CLIENT = join(ROOT, 'packages', 'client')

export async function layOutClient(folder) {
  rmSync(folder, { recursive: true, force: true })
  const { dependencies: _, files: __, ...manifest } = clientManifest()
  const entries = Object.values(manifest.exports).map((entry) => join(CLIENT, entry.default))
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((path) => [nameOf(path), path])),
    external: ['react'],
    logLevel: 'warn',
  })
  await bundle.write({ dir: join(folder, 'dist'), chunkFileNames: '[name].js' })
  await bundle.close()
  writeClientTypes(join(folder, 'dist'))
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const packed = { ...manifest, engines, files: ['dist'] }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  cpSync(join(CLIENT, 'README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

export function clientManifest() {
  return JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
}

/** `admin/index` for `dist/admin/index.js`, so that a bundled entry lies where its module did. */
function nameOf(path) {
  return path.slice(join(CLIENT, 'dist').length + 1, -'.js'.length)
}
