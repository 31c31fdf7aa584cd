// The program behind StoreChild: `lock <directory>` holds a data directory, `write <file>` commits events until it is killed.

import { writeSync } from 'node:fs'
import { lockDataDirectory } from '../src/store/data-lock.js'
import { openDatabase } from '../src/store/sqlite/database.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'

const EVENTS_PER_COMMIT = 7

const [command, target = ''] = process.argv.slice(2)
if (command === 'lock') lock(target)
if (command === 'write') write(target)

function lock(directory: string): void {
  try {
    const held = lockDataDirectory(directory)
    held.announce({ address: 'http://127.0.0.1:9', localToken: 'local-secret' })
    // The garbage collector would close an unreferenced database, and release the lock.
    process.once('exit', () => held.release())
    report('locked')
    // Holds the lock until the parent closes the pipe or kills the process.
    process.stdin.resume()
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
  }
}

function write(file: string): void {
  const db = openDatabase(file, { durability: 'full' })
  migrateUp(db, process.argv[4])
  db.exec(`
    INSERT INTO Repo (id, path, name) VALUES ('r1', '/code/one', 'one');
    INSERT INTO AgentSession (id, repoId, extensionId) VALUES ('s1', 'r1', 'demo');
  `)
  const append = db.prepare(
    `INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES ('s1', ?, ?, 'acp.update', '{}')`,
  )
  for (let seq = 1; ; seq += EVENTS_PER_COMMIT) {
    db.exec('BEGIN IMMEDIATE')
    for (let offset = 0; offset < EVENTS_PER_COMMIT; offset += 1)
      append.run(seq + offset, Date.now())
    db.exec('COMMIT')
    report(String(seq + EVENTS_PER_COMMIT - 1))
  }
}

// Synchronous: output before the kill has left the process.
function report(line: string): void {
  writeSync(1, `${line}\n`)
}
