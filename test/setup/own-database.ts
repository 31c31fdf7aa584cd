// The database of a test's hub: a SQLite file, or in the project "postgres" a new database on the server of the test run.
import { once } from 'node:events'
import { connect } from 'node:net'
import { Client } from 'pg'
import { inject } from 'vitest'

/** Set for the project whose hubs use PostgreSQL. */
const isPostgres = process.env['QUAYSIDE_TEST_ENGINE'] === 'postgres'
/** By folder: a hub that is started again in its folder finds its data. */
const databases = new Map<string, Promise<string>>()
let count = 0

/** The settings of a hub in this folder. */
export async function databaseSettings(folder: string): Promise<Readonly<Record<string, string>>> {
  if (!isPostgres) return {}
  const database = databases.get(folder) ?? newPostgresDatabase()
  databases.set(folder, database)
  return { QUAYSIDE_DATABASE_URL: await database }
}

/** A new, empty database. */
export async function newPostgresDatabase(): Promise<string> {
  const folder = await serverFolder()
  const name = `test_${process.pid}_${Date.now().toString(36)}_${(count += 1)}`
  const client = new Client(addressOf(folder, 'postgres'))
  await client.connect()
  try {
    // A copy of the files takes a third of the processor time of one that is written to the log.
    await client.query(`CREATE DATABASE ${name} STRATEGY = FILE_COPY`)
  } finally {
    await client.end()
  }
  return addressOf(folder, name)
}

async function serverFolder(): Promise<string> {
  const socket = connect(inject('postgres'))
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  await once(socket, 'end')
  const { folder, error } = JSON.parse(answer) as { folder?: string; error?: string }
  if (folder === undefined) throw new Error(error)
  return folder
}

function addressOf(folder: string, name: string): string {
  return `postgres://quayside@localhost/${name}?host=${encodeURIComponent(folder)}`
}
