// Prisma for the test of the published models, at the version that tools/prisma pins, installed at first use.
import { join } from 'node:path'
import { installOnce } from './tools.mjs'

let home

/** The folder of its packages. Throws when they are missing and cannot be installed. */
export async function installPrisma() {
  home ??= installOnce('prisma', '330 MB')
  return join(await home, 'node_modules')
}
