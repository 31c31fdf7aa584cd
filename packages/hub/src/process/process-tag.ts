// Whose process is this? Every agent carries a tag in its environment, and whatever it starts inherits it.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Its value is `<hubId>:<run>.<number>`: which hub, which start of it, which of its agents. */
export const OWNER_VARIABLE = 'QUAYSIDE_OWNER'

/** An owner that no hub is: for helpers of ours that must outlive the tree they are started from. */
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

const HUB_ID_FILE = 'hub-id'

/** The hub's name for as long as its data directory lives. A copy of the directory is another hub. */
export function openHubId(dataDirectory: string): string {
  const seed = readSeed(join(dataDirectory, HUB_ID_FILE))
  // A backup that is started beside the original must not take the original's agents for its orphans.
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

/** The owner in a block of NUL-separated `NAME=value`, as `/proc/<pid>/environ` has it. */
export function findOwner(environment: string): string | undefined {
  const name = `\0${OWNER_VARIABLE}=`
  const block = `\0${environment}\0`
  const at = block.indexOf(name)
  if (at < 0) return undefined
  const start = at + name.length
  return block.slice(start, block.indexOf('\0', start))
}
