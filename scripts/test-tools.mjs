// Additional dependencies of the tests: a browser, real agents and clients, a PostgreSQL server, Prisma. Installed at first use.
// As a program it installs them, or fails with one clear message.
import { pathToFileURL } from 'node:url'
import { installGemini } from './agents.mjs'
import { findChromium } from './browser.mjs'
import { installAcpx } from './clients.mjs'
import { installNode22 } from './node22.mjs'
import { installPostgres } from './postgres.mjs'
import { installPrisma } from './prisma.mjs'
import { fail } from './setup.mjs'

/** Throws when one of them is missing and cannot be installed. */
export async function installTestTools() {
  await Promise.all([
    findChromium(),
    installGemini(),
    installAcpx(),
    installNode22(),
    installPostgres(),
    installPrisma(),
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await installTestTools().catch((error) => fail(error.message))
