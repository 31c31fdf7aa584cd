// Runs before each test file and records its processor time, including its children.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const PROCESSES = '/proc'
const TICKS_A_SECOND = 100

const before = processorSeconds()

// Vitest reads the names of a hook's fixtures from this pattern; there are none.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, file) => {
  Object.assign(file.meta, { processorSeconds: processorSeconds() - before })
})

/** User and system time of this process and, on Linux, of its children, running ones included. */
function processorSeconds(): number {
  if (!existsSync(`${PROCESSES}/self/stat`)) return process.cpuUsage().user / 1_000_000
  const all = readdirSync(PROCESSES)
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  const family = (pid: number): number =>
    all
      .filter((one) => one.parent === pid)
      .reduce((sum, one) => sum + one.ticks + family(one.pid), 0)
  return (family(process.pid) + statOf(String(process.pid))[0]!.ticks) / TICKS_A_SECOND
}

function statOf(pid: string) {
  try {
    const fields = readFileSync(`${PROCESSES}/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks }]
  } catch {
    // It has ended.
    return []
  }
}
