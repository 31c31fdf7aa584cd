// A client that Prisma generates from prisma/schema.prisma reads every column of every table of a hub's database.
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { installPrisma } from '../../../scripts/tools/prisma.mjs'
import { openDatabase } from '../src/store/sqlite/database.js'
import { HUB_FOLDER, TempFolder } from './store-fixture.js'
import { parseModels, type Model } from './store-prisma-models.js'
import { startTestHub } from './test-hub.js'

const SCHEMA = join(HUB_FOLDER, 'prisma/schema.prisma')
const models = parseModels(readFileSync(SCHEMA, 'utf8'))
const run = promisify(execFile)
const MAX_BYTES = 50 * 1024 * 1024

/** Prints all rows of all models as JSON. */
const PROGRAM = `
import { PrismaLibSql } from '@prisma/adapter-libsql'
import generated from './client/index.js'

const [file, ...models] = process.argv.slice(2)
const adapter = new PrismaLibSql({ url: 'file:' + file }, { timestampFormat: 'unixepoch-ms' })
const client = new generated.PrismaClient({ adapter })
const rows = {}
for (const model of models) rows[model] = await client[model[0].toLowerCase() + model.slice(1)].findMany()
await client.$disconnect()
console.log(JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)))
`

test('a client of the published models reads what a hub has stored', async () => {
  await using hub = await startTestHub()
  const session = await hub.createSession()
  await session.run('tools')
  using folder = new TempFolder()
  await generateClient(folder)
  const file = join(hub.folder, 'data', 'quayside.db')

  const args = [folder.write('read.mjs', PROGRAM), file, ...models.map(({ name }) => name)]
  const { stdout } = await run(process.execPath, args, { maxBuffer: MAX_BYTES })
  const read = JSON.parse(stdout) as Record<string, unknown[]>

  const db = openDatabase(file, { durability: 'normal' })
  for (const model of models) {
    const stored = db.prepare(`SELECT * FROM "${model.name}"`).all() as Stored[]
    expect(read[model.name]).toEqual(stored.map((row) => asPrisma(model, row)))
  }
  db.close()
  expect(read['AgentEvent']?.length).toBeGreaterThan(5)
  expect(read['AgentMessage']?.length).toBeGreaterThan(2)
})

async function generateClient(folder: TempFolder): Promise<void> {
  const packages = await installPrisma()
  symlinkSync(packages, folder.file('node_modules'))
  cpSync(SCHEMA, folder.file('schema.prisma'))
  const prisma = join(packages, 'prisma/build/index.js')
  const env = {
    PATH: process.env['PATH'],
    // Generating needs no engine, but Prisma downloads one unless this names an existing file.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  }
  const args = [prisma, 'generate', '--schema', folder.file('schema.prisma')]
  await run(process.execPath, args, { cwd: folder.path, env })
}

type Stored = Readonly<Record<string, unknown>>

/** A row of plain SQL with the types of the model's columns, as JSON. */
function asPrisma({ fields }: Model, row: Stored): Stored {
  const valueOf = (name: string, type: string): unknown => {
    const value = row[name]
    if (value === null) return null
    if (type === 'DateTime') return new Date(value as number).toISOString()
    return type === 'Boolean' ? value === 1 : value
  }
  return Object.fromEntries(fields.map(({ name, type }) => [name, valueOf(name, type)]))
}
