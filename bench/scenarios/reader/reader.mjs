// The speed of reading an agent's updates: the hub compared with floors and the ACP SDK, in one run, as ratios.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, rotated, round, spread } from '../../load/numbers.mjs'

const RUN = fileURLToPath(new URL('reader-run.mjs', import.meta.url))
const PATHS = {
  readline: '(b) readline + JSON.parse',
  bytes: '(b2) byte split + JSON.parse',
  sdk: '(c) ACP SDK client, typed handler',
  handler: "(d) hub: reader to a session's handler",
  log: '(e) hub: whole session, committed log',
}
const run = promisify(execFile)

export const sizes = { full: { loads: ['text', 'mixed'] }, smoke: { loads: ['mixed'] } }

/** Every round measures all paths one after the other, each round starting with another one. */
export async function measure({ rounds, count, size, note }) {
  const runs = []
  for (let round = 0; round < rounds; round += 1)
    for (const load of size.loads)
      for (const path of rotated(Object.keys(PATHS), round)) {
        note(`round ${round + 1} of ${rounds}, ${load}, ${path}`)
        runs.push({ round, load, path, ...(await measurePath(path, load, count)) })
      }
  const tables = size.loads.map((load) => ({
    title: `${count} updates, ${load}`,
    rows: Object.keys(PATHS).map((path) =>
      summarize(
        path,
        runs.filter((entry) => entry.load === load),
      ),
    ),
  }))
  return { tables, figures: {} }
}

async function measurePath(path, load, count) {
  const { stdout } = await run(process.execPath, [RUN, path, load, String(count)])
  const { ms, cpuMs, rssGrowth } = JSON.parse(stdout)
  const cpuMicros = (cpuMs * 1000) / count
  return { rate: (count * 1000) / ms, cpuMicros, rssGrowthMb: rssGrowth / 1024 / 1024 }
}

function summarize(path, runs) {
  const own = runs.filter((entry) => entry.path === path)
  // Compared per round: other load on the machine slows all paths of one round equally.
  const ratio = (other, field) =>
    median(
      own.map((entry) => {
        const base = runs.find(({ path, round }) => path === other && round === entry.round)
        return entry[field] / base[field]
      }),
    )
  return {
    path: PATHS[path],
    'updates/s': Math.round(median(own.map(({ rate }) => rate))),
    '× (b)': round(ratio('readline', 'rate')),
    '× SDK': round(ratio('sdk', 'rate')),
    'CPU µs/update': round(median(own.map(({ cpuMicros }) => cpuMicros))),
    'CPU × (b)': round(ratio('readline', 'cpuMicros')),
    'CPU × SDK': round(ratio('sdk', 'cpuMicros')),
    'RSS growth MB': Math.round(median(own.map(({ rssGrowthMb }) => rssGrowthMb))),
    '± %': Math.round(spread(own.map(({ rate }) => rate)) * 100),
  }
}
