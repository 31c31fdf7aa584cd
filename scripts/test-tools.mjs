// Additional dependencies of the tests: a browser, real agents and clients, a PostgreSQL server, Prisma. Installed at first use.
// As a program it installs them, or fails with one clear message.
import { pathToFileURL } from 'node:url'
import { fail } from './setup.mjs'
import { installGemini } from './tools/agents.mjs'
import { findChromium } from './tools/browser.mjs'
import { installAcpx } from './tools/clients.mjs'
import { installNode22 } from './tools/node22.mjs'
import { installPostgres } from './tools/postgres.mjs'
import { installPrisma } from './tools/prisma.mjs'

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
