// `npm run check`: the fast loop. Format, lint, types, unit tests and import direction.
import { pathToFileURL } from 'node:url'
import { bin, install, run } from './setup.mjs'

/** Everything but the tests: how the code reads and whether it compiles. */
export function checkSources() {
  install()
  run(process.execPath, [bin('oxfmt', 'bin/oxfmt'), '--check'])
  run(process.execPath, [bin('oxlint', 'bin/oxlint'), '--type-aware'])
  run(process.execPath, [bin('typescript', 'bin/tsc'), '-b'])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  checkSources()
  run(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', '--project', 'unit'])
}
