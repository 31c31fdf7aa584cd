// Lays out the npm package `@quayside/client` so that it stands alone: the protocol is bundled in, and zod is not needed.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDRESSES } from '@quayside/protocol/schemas'
import { rolldown } from 'rolldown'
import { writeClientTypes } from './client-types.mjs'
import { ROOT } from './setup.mjs'

const CLIENT = join(ROOT, 'packages', 'client')
const ADDRESSES_MODULE = join(ROOT, 'packages', 'protocol', 'dist', 'api', 'addresses.js')

/** Replaces the module that reads the addresses from the table, so that the package has them without the table and zod. */
const addressesByValue = {
  name: 'quayside:addresses-by-value',
  load(path) {
    return path === ADDRESSES_MODULE
      ? `export const ADDRESSES = ${JSON.stringify(ADDRESSES)}`
      : undefined
  },
}

export async function layOutClient(folder) {
  rmSync(folder, { recursive: true, force: true })
  const { dependencies: _, files: __, ...manifest } = clientManifest()
  const entries = Object.values(manifest.exports).map((entry) => join(CLIENT, entry.default))
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((path) => [nameOf(path), path])),
    external: ['react'],
    plugins: [addressesByValue],
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
