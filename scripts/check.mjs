// `npm run check`: the fast loop. Format, lint, types, unit tests, and checks of imports, documents and comments.
import { pathToFileURL } from 'node:url'
import { bin, install, run } from './setup.mjs'

/** Format, lint and types. */
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
