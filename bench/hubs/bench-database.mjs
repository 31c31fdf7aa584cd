// A PostgreSQL server on this machine with its usual durability, for hubs that are measured on it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../../scripts/tools/postgres-server.mjs'

/** Everything else, fsync above all, is as PostgreSQL comes. */
const SETTINGS = { shared_buffers: '256MB', max_wal_size: '4GB' }

/** Ended with the process, also after a failure. */
const OPEN = new Set()
process.once('exit', () => {
  for (const database of OPEN) database.remove()
})

export class BenchDatabase {
  #server
  #folder
  #count = 0

  static async start() {
    const database = new BenchDatabase()
    database.#folder = mkdtempSync(join(tmpdir(), 'pg-bench-'))
    OPEN.add(database)
    database.#server = await startPostgres(database.#folder, SETTINGS)
    return database
  }

  /** The address of a new, empty database. */
  async create() {
    const name = `bench_${(this.#count += 1)}`
    await this.query(this.#server.addressOf('postgres'), `CREATE DATABASE ${name}`)
    return this.#server.addressOf(name)
  }

  async query(address, sql) {
    const client = new Client(address)
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  async stop() {
    await this.#server.stop()
    this.remove()
  }

  remove() {
    OPEN.delete(this)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
