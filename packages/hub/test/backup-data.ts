// Data directories with sessions, media and settings for the tests of backups, and functions that read them.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { closeDatabase, openDatabase } from '../src/store/sqlite/database.js'
import { MediaStore } from '../src/store/media.js'
import { MediaRows } from '../src/store/sqlite/media-rows.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'

export type Story = {
  /** The title of its only session and the text of its media. */
  readonly name: string
  readonly media?: number
  readonly settings?: Readonly<Record<string, unknown>>
  /** With settings, a secret and an extension of this name. */
  readonly agents?: boolean
  /** Migrations other than this build's. */
  readonly migrations?: string
}

/** A data directory with one ended session, as a hub leaves it. */
export function makeData(dataDir: string, story: Story): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = openDatabase(join(dataDir, 'quayside.db'), { durability: 'normal' })
  migrateUp(db, story.migrations)
  addSession(db, story.name)
  const media = new MediaStore(new MediaRows(db), join(dataDir, 'media'))
  for (let number = 0; number < (story.media ?? 2); number += 1)
    media.put({
      sessionId: story.name,
      mimeType: 'text/plain',
      bytes: Buffer.from(`${story.name} ${number}`),
    })
  closeDatabase(db)
  if (story.settings)
    writeFileSync(join(dataDir, 'config.json'), JSON.stringify(story.settings), { mode: 0o600 })
  if (story.agents) setUpAgents(dataDir, story.name)
  return dataDir
}

/** Hub-wide settings, a key, and an own extension with a script. */
function setUpAgents(dataDir: string, name: string): void {
  const folder = join(dataDir, 'extensions', 'acp', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ id: name }))
  writeFileSync(join(folder, 'agent.sh'), `echo ${name}`, { mode: 0o755 })
  const settings = JSON.stringify({ [name]: { model: 'small' } })
  writeFileSync(join(dataDir, 'extension-settings.json'), settings, { mode: 0o600 })
  const secrets = JSON.stringify({ [name]: { KEY: `key of ${name}` } })
  writeFileSync(join(dataDir, 'secrets.json'), secrets, { mode: 0o600 })
}

function addSession(db: ReturnType<typeof openDatabase>, id: string): void {
  const repoId = uuidv7()
  db.prepare('INSERT INTO Repo (id, path, name) VALUES (?, ?, ?)').run(repoId, `/${repoId}`, 'one')
  db.prepare(
    `INSERT INTO AgentSession (id, repoId, extensionId, status, title) VALUES (?, ?, 'demo', 'completed', ?)`,
  ).run(id, repoId, id)
  const append = db.prepare(
    `INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES (?, ?, 1, 'acp.update', '{}')`,
  )
  for (let seq = 1; seq <= 10; seq += 1) append.run(id, seq)
}

export type Contents = {
  readonly sessions: readonly string[]
  readonly events: number
  readonly media: readonly string[]
  readonly settings: unknown
  /** Agent settings, secrets and own extensions: texts by path. */
  readonly agents: Readonly<Record<string, string>>
}

/** The content of a data directory or of one that was set aside. Missing media are left out. */
export function readData(dataDir: string): Contents {
  const db = openDatabase(join(dataDir, 'quayside.db'), { durability: 'normal' })
  try {
    const sessions = db.prepare('SELECT title FROM AgentSession ORDER BY title').all() as {
      title: string
    }[]
    const { events }: { events: number } = db
      .prepare('SELECT count(*) AS events FROM AgentEvent')
      .get()
    const hashes = db.prepare('SELECT DISTINCT sha256 FROM Media').all() as { sha256: string }[]
    const config = join(dataDir, 'config.json')
    return {
      sessions: sessions.map(({ title }) => title),
      events,
      media: hashes
        .map(({ sha256 }) => join(dataDir, 'media', sha256.slice(0, 2), sha256))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
        .toSorted(),
      settings: existsSync(config) ? (JSON.parse(readFileSync(config, 'utf8')) as unknown) : null,
      agents: readAgents(dataDir),
    }
  } finally {
    closeDatabase(db)
  }
}

function readAgents(dataDir: string): Record<string, string> {
  const below = join(dataDir, 'extensions')
  const own = existsSync(below) ? readdirSync(below, { recursive: true, encoding: 'utf8' }) : []
  const names = [
    'extension-settings.json',
    'secrets.json',
    ...own.map((name) => `extensions/${name}`),
  ]
  const files = names.filter((name) =>
    statSync(join(dataDir, name), { throwIfNoEntry: false })?.isFile(),
  )
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]))
}

export function foldersLike(dataDir: string, prefix: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dataDir, name))
}

/** The paths below a folder that other users could open. */
export function openToOthers(folder: string): string[] {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
  )
}
