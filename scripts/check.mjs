// `npm run check`: the fast loop. Format, lint, types, unit tests and import direction.
import { bin, install, run } from './setup.mjs'

export function check() {
  install()
  run(process.execPath, [bin('oxfmt', 'bin/oxfmt'), '--check'])
  run(process.execPath, [bin('oxlint', 'bin/oxlint'), '--type-aware', '--quiet'])
  run(process.execPath, [bin('typescript', 'bin/tsc'), '-b'])
  run(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', '--project', 'unit'])
}

check()
