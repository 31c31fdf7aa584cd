// The typed way to read lists and details: a Prisma client on the hub's connection.
// Prisma takes a quarter of a second to load, so it is imported when the first reader is made, not before.

import type { Database } from './database.js'
import type { PrismaClient } from './generated/client.js'

/** Read with it; write through the hub's writer (see `PrismaSqliteAdapterFactory`). `$disconnect` leaves the connection open. */
export type Reader = PrismaClient

export async function createReader(db: Database): Promise<Reader> {
  const [{ PrismaClient }, { PrismaSqliteAdapterFactory }] = await Promise.all([
    import('./generated/client.js'),
    import('./prisma-adapter.js'),
  ])
  return new PrismaClient({ adapter: new PrismaSqliteAdapterFactory(db) })
}
