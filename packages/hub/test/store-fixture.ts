// Shared by the tests of the store: real files in a temporary folder, rows for every table, and child processes.

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { closeDatabase, openDatabase, type Database } from '../src/store/sqlite/database.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'
import { FolderImage } from './folder-image.js'

export const HUB_FOLDER = fileURLToPath(new URL('..', import.meta.url))
export const NOON = Date.UTC(2026, 10, 15, 12)

export class TempFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'quayside-store-'))

  file(name: string): string {
    return join(this.path, name)
  }

  write(name: string, text: string): string {
    mkdirSync(dirname(this.file(name)), { recursive: true })
    writeFileSync(this.file(name), text)
    return this.file(name)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

const TEST_FILE = 'hub.sqlite'
/** Migrated once: copying the file is cheaper than the migrations. */
const migratedData = new FolderImage((path) => {
  const db = openDatabase(join(path, TEST_FILE), { durability: 'normal' })
  migrateUp(db)
  closeDatabase(db)
})

/** A migrated database in its own folder. */
export class TestDatabase {
  readonly folder = new TempFolder()
  readonly db: Database

  constructor({ migrated = true } = {}) {
    if (migrated) migratedData.writeTo(this.folder.path)
    this.db = openDatabase(this.folder.file(TEST_FILE), { durability: 'normal' })
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close()
    this.folder[Symbol.dispose]()
  }
}

export type Row = Record<string, string | number | bigint | null>

/** Adds a row with plain SQL. Names come from the tests only. */
export function insert(db: Database, table: string, row: Row): void {
  const columns = Object.keys(row)
  db.prepare(
    `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
     VALUES (${columns.map(() => '?').join(', ')})`,
  ).run(...Object.values(row))
}

export function countRows(db: Database, table: string): number {
  const row: { count: number } = db.prepare(`SELECT count(*) AS count FROM "${table}"`).get()
  return row.count
}

export const TABLES = [
  'Repo',
  'AgentSession',
  'AgentMessage',
  'AgentEvent',
  'AgentCheckpoint',
  'Media',
  'Credential',
]

/** A valid row of each table, in an order that foreign keys allow. */
export const SAMPLES: Readonly<Record<string, Row>> = {
  Repo: { id: 'r1', path: '/code/one', name: 'one', createdAt: NOON, lastSeenAt: NOON, missing: 0 },
  AgentSession: {
    id: 's1',
    repoId: 'r1',
    extensionId: 'demo',
    status: 'active',
    createdAt: NOON,
    updatedAt: NOON,
  },
  AgentMessage: {
    id: 'm1',
    sessionId: 's1',
    itemId: 'i1',
    turnId: 't1',
    role: 'user',
    content: '{"type":"text","text":"hi"}',
    partial: 0,
    seq: 1,
    updatedSeq: 1,
    timestamp: NOON,
    updatedAt: NOON,
  },
  AgentEvent: { sessionId: 's1', seq: 1, at: NOON, type: 'session.created', data: '{}' },
  AgentCheckpoint: { sessionId: 's1', seq: 1, steps: 0, state: '{}' },
  Media: {
    id: 'f1',
    sessionId: 's1',
    sha256: 'ab',
    mimeType: 'image/png',
    byteLength: 3,
    createdAt: NOON,
  },
  Credential: {
    id: 'c1',
    kind: 'token',
    name: 'ci',
    hash: 'cd',
    scope: 'all',
    createdAt: NOON,
    lastUsedAt: NOON,
    expiresAt: NOON,
  },
}

/** An older database has fewer tables. */
export function insertSamples(db: Database): void {
  const tables: { name: string }[] = db.prepare('PRAGMA table_list').all()
  const names = new Set(tables.map(({ name }) => name))
  for (const [table, row] of Object.entries(SAMPLES)) if (names.has(table)) insert(db, table, row)
}

/** A child process that runs one command of store-child.ts. Its lines report what has happened. */
export class StoreChild {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #exited: Promise<number | NodeJS.Signals | null>

  private constructor(program: string, args: readonly string[]) {
    this.#process = spawn(process.execPath, [program, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const { stdout } = this.#process
    if (stdout === null) throw new Error('the child has no stdout')
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
    this.#exited = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => resolve(code ?? signal))
    })
  }

  static async start(...args: readonly string[]): Promise<StoreChild> {
    return new StoreChild(await buildChild(), args)
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  async readLine(): Promise<string> {
    const { value, done } = await this.#lines.next()
    if (done === true) throw new Error('the child ended before it said more')
    return value
  }

  /** The lines of the child that were not read yet. */
  async readRest(): Promise<string[]> {
    const lines: string[] = []
    for (let next = await this.#lines.next(); next.done !== true; next = await this.#lines.next()) {
      lines.push(next.value)
    }
    return lines
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}

const CHILD_PROGRAM = join(HUB_FOLDER, '../../node_modules/.cache/store-child.mjs')
let childProgram: Promise<string> | undefined

// Node 20 cannot run TypeScript, so the child is bundled; inside the workspace, where it finds the SQLite library.
function buildChild(): Promise<string> {
  childProgram ??= writeChild()
  return childProgram
}

/** Replaced in one step, because other workers write and run the same file. */
async function writeChild(): Promise<string> {
  const ssr = join(HUB_FOLDER, 'test/store-child.ts')
  const options = { ssr, write: false, minify: false } as const
  const built = await build({ configFile: false, logLevel: 'error', build: options })
  const [result] = [built].flat()
  const chunks = result && 'output' in result ? result.output : []
  const code = chunks.flatMap((chunk) => ('code' in chunk ? [chunk.code] : []))
  if (code.length !== 1) throw new Error(`The child is ${code.length} files.`)
  const draft = `${CHILD_PROGRAM}.${process.pid}`
  mkdirSync(dirname(CHILD_PROGRAM), { recursive: true })
  writeFileSync(draft, code.join(''))
  renameSync(draft, CHILD_PROGRAM)
  return CHILD_PROGRAM
}
