// The database servers under torture: a primary and, when failovers are wanted, a synchronous standby that takes its place.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import {
  type PostgresServer,
  REPLICATED,
  startPostgres,
} from '../../../../../scripts/tools/postgres-server.mjs'
import { query } from '../../postgres-fixture.js'

const LOOK_MS = 20
const SYNCHRONOUS = `SELECT 1 FROM pg_stat_replication WHERE "sync_state" = 'sync'`
/** Returns when the standby has it, and everything before it. */
const COMMIT = `SELECT pg_logical_emit_message(true, 'standby', 'in step')`

export class Servers {
  /** Of the sockets, in the order of the address. */
  readonly folders: readonly string[]
  #primary: PostgresServer
  #standby: PostgresServer | undefined

  private constructor(folders: readonly string[], primary: PostgresServer) {
    this.folders = folders
    this.#primary = primary
  }

  static async start({ hasStandby }: { readonly hasStandby: boolean }): Promise<Servers> {
    const folders = ['pg-', ...(hasStandby ? ['pg-'] : [])].map((name) =>
      mkdtempSync(join(tmpdir(), name)),
    )
    const settings = hasStandby ? REPLICATED : undefined
    const servers = new Servers(folders, await startPostgres(folders[0]!, settings))
    await servers.#addStandby()
    return servers
  }

  /** Of the server that can be written, or could before it crashed. */
  addressOf(database: string): string {
    return this.#primary.addressOf(database)
  }

  async crash(): Promise<void> {
    await this.#primary.stop('SIGQUIT')
  }

  async restart(): Promise<void> {
    await this.#primary.start()
  }

  /** The standby takes the place of the primary, which has crashed and becomes a new standby with a new copy of the data. */
  async failOver(): Promise<void> {
    if (this.#standby === undefined) throw new Error('there is no standby')
    await query(this.#standby.addressOf('postgres'), 'SELECT pg_promote()')
    this.#primary = this.#standby
    this.#standby = undefined
    await this.#addStandby()
  }

  async stop(): Promise<void> {
    for (const server of [this.#standby, this.#primary]) await server?.stop('SIGQUIT')
    for (const folder of this.folders)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  async #addStandby(): Promise<void> {
    const folder = this.folders.find((other) => other !== this.#primary.folder)
    if (folder === undefined) return
    const client = new Client(this.addressOf('postgres'))
    await client.connect()
    try {
      await client.query(`SELECT pg_backup_start('standby', true)`)
      this.#standby = await this.#primary.copyTo(folder)
      const { rows } = await client.query<{ label: string }>(
        'SELECT "labelfile" AS "label" FROM pg_backup_stop(false)',
      )
      await this.#standby.follow(this.#primary, rows[0]!.label)
      // The copy does not have this: after a failover the new primary is alone.
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
      await client.query('SELECT pg_reload_conf()')
      while ((await client.query(SYNCHRONOUS)).rows.length === 0) await sleep(LOOK_MS)
      await client.query(COMMIT)
    } finally {
      await client.end()
    }
  }
}
