// Owner tags: every agent carries a tag in its environment, and its descendants inherit it.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HUB_ID_FILE } from '../store/data-files.js'

/** Its value is `<hubId>:<run>.<number>`: the hub, its current run, and the agent. */
export const OWNER_VARIABLE = 'QUAYSIDE_OWNER'

/** For the hub's helper processes that must outlive the tree they are started from. Matches no hub. */
export const NO_OWNER = 'none'

/** The tags of one run of a hub. A later run has another prefix, so an old watchdog never ends new agents. */
export class ProcessTags {
  readonly runPrefix: string
  #count = 0

  constructor(hubId: string) {
    this.runPrefix = `${hubPrefix(hubId)}${randomBytes(4).toString('hex')}.`
  }

  next(): string {
    this.#count += 1
    return `${this.runPrefix}${this.#count}`
  }
}

export function hubPrefix(hubId: string): string {
  return `${hubId}:`
}

/** Stable for the life of the data directory. A copy of the directory gets another id. */
export function openHubId(dataDirectory: string): string {
  const seed = readSeed(join(dataDirectory, HUB_ID_FILE))
  // A hub started on a backup must not treat the original hub's agents as its orphans.
  const { dev, ino } = statSync(dataDirectory)
  return createHash('sha256').update(`${seed}:${dev}:${ino}`).digest('hex').slice(0, 16)
}

function readSeed(file: string): string {
  try {
    writeFileSync(file, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** Finds the owner in NUL-separated `NAME=value` pairs, the format of `/proc/<pid>/environ`. */
export function findOwner(environment: string): string | undefined {
  const name = `\0${OWNER_VARIABLE}=`
  const block = `\0${environment}\0`
  const at = block.indexOf(name)
  if (at < 0) return undefined
  const start = at + name.length
  return block.slice(start, block.indexOf('\0', start))
}
