// Runs before each test file and records its processor time, including children that have ended.
import { existsSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const STAT = '/proc/self/stat'
const TICKS_A_SECOND = 100

const before = processorSeconds()

// Vitest reads the names of a hook's fixtures from this pattern; there are none.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, file) => {
  Object.assign(file.meta, { processorSeconds: processorSeconds() - before })
})

/** User and system time of this process and, on Linux, its children. */
function processorSeconds(): number {
  if (!existsSync(STAT)) return process.cpuUsage().user / 1_000_000
  const fields = readFileSync(STAT, 'utf8').split(') ').at(-1)!.split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return (user! + system! + childUser! + childSystem!) / TICKS_A_SECOND
}
