// Bundles what is started into each package's `bundle`: reading hundreds of small files takes longer than most commands do.
// The modules that `tsc` writes into `dist` are what tests, benchmarks and scripts take a single part from.
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './setup.mjs'

const PROGRAMS = {
  'demo-agent': ['main.js'],
  hub: ['index.js', 'main.js', 'process/watchdog-main.js', 'terminals/host-main.js'],
}

/** Machine code, or WebAssembly written as text: they are found as installed packages. */
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
