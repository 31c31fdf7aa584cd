// Fills a data directory with sessions and ten messages each, in the schema before the lists: raw SQL takes seconds,
// and the first start of the hub migrates and indexes them.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { migrateUp } from '../../../packages/hub/dist/store/sqlite/migrations.js'
import { MIGRATIONS_FOLDER } from '../../../packages/hub/dist/places.js'

export const COMMON_WORD = 'deploy'
export const RARE_WORD = 'periwinkle'
export const REPOS = 50

const FIRST_AT = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const KINDS = [
  'user',
  'thought',
  'tool',
  'agent',
  'user',
  'agent',
  'tool',
  'agent',
  'user',
  'agent',
]
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za'.split(' ')
const VOCABULARY = 20_000
const COMMON_SHARE = 0.3
const RARE_MESSAGES = 20

export function sessionId(index) {
  return `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`
}

export function repoId(index) {
  return `01900000-0000-7000-9000-${String(index).padStart(12, '0')}`
}

export function fillDataDirectory(dataDir, sessions) {
  mkdirSync(dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'quayside.db'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  migrateToFirst(db)
  db.exec('BEGIN')
  insertRows(db, sessions)
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

function migrateToFirst(db) {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-bench-migrations-'))
  cpSync(join(MIGRATIONS_FOLDER, '0001_init'), join(folder, '0001_init'), { recursive: true })
  migrateUp(db, folder)
  rmSync(folder, { recursive: true })
}

function insertRows(db, sessions) {
  const random = randomFrom(7)
  const say = speaker(random)
  const insertRepo = db.prepare('INSERT INTO Repo (id, path, name) VALUES (?, ?, ?)')
  for (let index = 0; index < REPOS; index += 1)
    insertRepo.run(repoId(index), `/nowhere/${index}`, `repo ${index}`)
  const insertSession = db.prepare(
    `INSERT INTO AgentSession (id, repoId, extensionId, status, title, lastSeq, createdAt, updatedAt, endedAt)
     VALUES (?, ?, 'demo', ?, ?, 60, ?, ?, ?)`,
  )
  const insertMessage = messageWriter(db, say, { random, rareShare: RARE_MESSAGES / sessions / 4 })
  for (let index = 0; index < sessions; index += 1) {
    const at = FIRST_AT + index * MINUTE_MS
    const repo = repoId(Math.floor(random() ** 2 * REPOS))
    insertSession.run(sessionId(index), repo, statusOf(random()), say(6), at, at, at + MINUTE_MS)
    for (const [place, kind] of KINDS.entries()) insertMessage({ index, place, kind, at })
  }
}

function messageWriter(db, say, { random, rareShare }) {
  const insert = db.prepare(
    `INSERT INTO AgentMessage (id, sessionId, itemId, turnId, role, content, seq, updatedSeq, timestamp, updatedAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return ({ index, place, kind, at }) => {
    const id = `${sessionId(index)}-${place}`
    const seq = 3 + place * 5
    const common = random() < COMMON_SHARE ? ` ${COMMON_WORD}` : ''
    const rare = kind === 'agent' && random() < rareShare ? ` ${RARE_WORD}` : ''
    const text = say(kind === 'user' ? 15 : 45) + common + rare
    const time = at + place * 1_000
    const [role, content] = messageOf(kind, text)
    const row = [id, sessionId(index), `${kind}:${seq}`, id, role, JSON.stringify(content)]
    insert.run(...row, seq, seq + 4, time, time)
  }
}

function messageOf(kind, text) {
  if (kind === 'tool') return ['system', { type: 'tool', tool: 'read', args: {}, result: text }]
  if (kind === 'thought') return ['agent', { type: 'thought', text, partial: false }]
  return [kind, { type: 'text', text }]
}

function statusOf(chance) {
  if (chance < 0.9) return 'completed'
  return chance < 0.95 ? 'cancelled' : 'error'
}

/** Words with natural frequencies: each rank is half as frequent as half that rank. */
function speaker(random) {
  const words = Array.from({ length: VOCABULARY }, (_, index) => wordOf(index + SYLLABLES.length))
  const word = () => words[Math.floor(Math.exp(random() * Math.log(VOCABULARY))) - 1]
  return (count) => Array.from({ length: count }, word).join(' ')
}

function wordOf(number) {
  let word = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}

/** The same rows in every run. */
export function randomFrom(seed) {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
