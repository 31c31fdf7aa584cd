// A migrated database and a Prisma reader on it, new for each test of a file.
import { afterEach, beforeEach } from 'vitest'
import type { Database } from '../src/store/database.js'
import { createReader, type Reader } from '../src/store/reader.js'
import { TestDatabase } from './store-fixture.js'

export let store: TestDatabase
export let db: Database
export let reader: Reader

/** Said once by the file whose tests use them. */
export function useFreshStore(): void {
  beforeEach(async () => {
    store = new TestDatabase()
    db = store.db
    reader = await createReader(db)
  })
  afterEach(async () => {
    await reader.$disconnect()
    store[Symbol.dispose]()
  })
}
