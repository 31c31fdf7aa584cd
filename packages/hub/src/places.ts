// Where the parts of this package lie. This file and what is bundled from it (in `bundle`) are equally deep, so one path is true for both.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url))

export const PACKAGE_FILE = join(PACKAGE_FOLDER, 'package.json')

/** The migrations of this build. */
export const MIGRATIONS_FOLDER = join(PACKAGE_FOLDER, 'migrations')

export const WEB_FOLDER = join(PACKAGE_FOLDER, '../web/dist')

export const SHIPPED_EXTENSIONS = join(PACKAGE_FOLDER, '../../extensions')

/** Started by Node itself, so they are the bundled files, also when the sources run (in tests). */
export const PROGRAMS = {
  quayside: join(PACKAGE_FOLDER, 'bundle/main.js'),
  watchdog: join(PACKAGE_FOLDER, 'bundle/watchdog-main.js'),
  terminalHost: join(PACKAGE_FOLDER, 'bundle/host-main.js'),
} as const
