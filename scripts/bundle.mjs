// Bundles each package's programs into its `bundle`: loading hundreds of small files takes longer than most commands.
// Tests, benchmarks and scripts import single modules from `dist`.
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './setup.mjs'

const PROGRAMS = {
  'demo-agent': ['main.js'],
  hub: ['index.js', 'main.js', 'process/watchdog-main.js', 'terminals/host/host-main.js'],
}

/** Machine code, or WebAssembly as text: loaded from installed packages. */
const AS_INSTALLED = ['@photostructure/sqlite', '@lydell/node-pty', /query_compiler.*wasm/]

for (const [name, entries] of Object.entries(PROGRAMS)) {
  const folder = join(ROOT, 'packages', name)
  const bundle = await rolldown({
    input: entries.map((entry) => join(folder, 'dist', entry)),
    platform: 'node',
    external: AS_INSTALLED,
    logLevel: 'warn',
  })
  await bundle.write({ dir: join(folder, 'bundle'), cleanDir: true })
  await bundle.close()
}
