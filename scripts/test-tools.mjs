// Additional dependencies of the tests: a browser, real agents and clients, a PostgreSQL server, Prisma. Installed at first use.
import { installGemini } from './agents.mjs'
import { findChromium } from './browser.mjs'
import { installAcpx } from './clients.mjs'
import { installNode22 } from './node22.mjs'
import { installPostgres } from './postgres.mjs'
import { installPrisma } from './prisma.mjs'

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
