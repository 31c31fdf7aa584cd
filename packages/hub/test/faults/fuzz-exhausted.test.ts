// Hostile requests at a hub without file descriptors, in `npm run test:torture`: it answers 503 or closes the connection, does not die,
// and works again when there are some. exhausted.test.ts does the same for a look at a repository.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { random } from '../random.js'
import { figure, isTorture } from './figure.js'
import { HttpFuzz } from './http-fuzz.js'
import { knownValues } from './known-values.js'
import { exchange } from './raw-http.js'
import { Siege } from './siege.js'

const REQUESTS = 1_000
const AT_ONCE = 12
const LIMIT_MS = 30_000
const SHOWN_CHARACTERS = 400
/** More than none: some requests get through, and fail later. */
const FREE_DESCRIPTORS = [0, 2, 5, 10, 20]

test.runIf(isTorture && process.platform === 'linux')(
  'a hub without descriptors survives hostile requests, and recovers',
  { timeout: 300_000 },
  async ({ task }) => {
    await using siege = await Siege.open()
    const statuses = await starve(siege)
    expect(await siege.end()).toEqual([])
    expect(statuses).toContain(503)
    figure(task, { what: 'hostile requests without descriptors', count: REQUESTS })
  },
)

test.runIf(isTorture && process.platform === 'linux')(
  'a hub that takes a lack of descriptors for its own fault is found out',
  { timeout: 300_000 },
  async () => {
    await using siege = await Siege.open({ mutant: 'knows-no-shortage' })
    await starve(siege)
    expect((await siege.end()).join('\n')).toMatch(/answers 500|the hub has died/)
  },
)

/** Returns the statuses that were seen. */
async function starve(siege: Siege): Promise<Set<number>> {
  const fuzz = new HttpFuzz(random(), await knownValues(siege))
  await siege.beat()
  const statuses = new Set<number>()
  for (const free of FREE_DESCRIPTORS) {
    limitDescriptors(siege.pid, readdirSync(`/proc/${siege.pid}/fd`).length + free)
    let left = REQUESTS / FREE_DESCRIPTORS.length
    const lane = async (): Promise<void> => {
      for (; left > 0 && !siege.isGone; left -= 1) {
        const request = fuzz.next()
        const answer = await exchange({ ...request, port: siege.port, limitMs: LIMIT_MS })
        statuses.add(answer.status ?? 0)
        const about = `with ${free} descriptors: ${request.bytes.toString('latin1').slice(0, SHOWN_CHARACTERS)} → ${answer.text.slice(-SHOWN_CHARACTERS)}`
        if (answer.isLate) siege.failures.push(`no answer ${about}`)
        if (answer.status === 500) siege.failures.push(`answers 500 ${about}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    if (siege.isGone) break
    limitDescriptors(siege.pid, 10_000)
  }
  return statuses
}

function limitDescriptors(pid: number, soft: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${soft}:`])
}
