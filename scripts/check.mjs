// `npm run check`: the fast loop. Format, lint, types, unit tests, and checks of imports, documents and comments.
import { pathToFileURL } from 'node:url'
import { bin, install, run, runAll } from './setup.mjs'

/** Format, then lint and types side by side: each keeps about one processor busy. */
export async function checkSources() {
  install()
  run(process.execPath, [bin('oxfmt', 'bin/oxfmt'), '--check'])
  await runAll([
    [bin('oxlint', 'bin/oxlint'), '--type-aware'],
    [bin('typescript', 'bin/tsc'), '-b'],
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await checkSources()
  run(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', '--project', 'unit'])
}
