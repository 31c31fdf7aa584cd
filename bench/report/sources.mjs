// The identity of the measured code: the commit, and a hash of the sources that a benchmark measures.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HUB = [
  'packages/hub/src',
  'packages/hub/migrations',
  'packages/protocol/src',
  'packages/demo-agent/src',
]
const PAGE = [...HUB, 'packages/client/src', 'packages/web/src']
/** Benchmarks in which the client or the page is measured too. */
const WITH_CLIENT = ['long', 'page']
const TEST = /\.test\.tsx?$/

export function sourcesHash(benchmark) {
  const hash = createHash('sha256')
  for (const folder of WITH_CLIENT.includes(benchmark) ? PAGE : HUB)
    for (const file of filesBelow(folder)) {
      hash.update(`${file}\0`)
      hash.update(readFileSync(join(ROOT, file)))
    }
  return hash.digest('hex').slice(0, 16)
}

/** Absent outside of a clone. */
export function commit() {
  try {
    const options = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], options).trim()
  } catch {
    return undefined
  }
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .toSorted()
}
