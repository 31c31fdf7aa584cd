// Paths of the package's files. The compiled file and the bundle are at the same depth, so each path is right for both.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url))

export const PACKAGE_FILE = join(PACKAGE_FOLDER, 'package.json')

/** The command as a person types it: a clone has no `quayside` in its path. */
export const COMMAND = existsSync(join(PACKAGE_FOLDER, 'src'))
  ? 'npm run -s quayside --'
  : 'quayside'

/** The migrations of this build. */
export const MIGRATIONS_FOLDER = join(PACKAGE_FOLDER, 'migrations')

export const WEB_FOLDER = join(PACKAGE_FOLDER, '../web/dist')

export const SHIPPED_EXTENSIONS = join(PACKAGE_FOLDER, '../../extensions')

/** Separate processes run the bundled files, even when tests run the sources. */
export const PROGRAMS = {
  quayside: join(PACKAGE_FOLDER, 'bundle/main.js'),
  watchdog: join(PACKAGE_FOLDER, 'bundle/watchdog-main.js'),
  terminalHost: join(PACKAGE_FOLDER, 'bundle/host-main.js'),
} as const
