// `npm run bench`: builds the hub when sources changed, measures it beside floors and other programs, and prints ratios and
// targets. Options: names of benchmarks, --rounds=5, --count=200000; --write keeps the results and regenerates
// docs/performance.md; --check only lists results that are older than the code; --smoke runs everything at tiny sizes.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { build } from '../scripts/setup.mjs'
import { describeMachine, toTable, toTargetTable } from './report/markdown.mjs'
import { writePage } from './report/page.mjs'
import { judge, machine, staleResults, writeResult } from './report/results.mjs'
import { commit, sourcesHash } from './report/sources.mjs'
import { BENCHMARKS } from './targets.mjs'

const ROUNDS = 5
const COUNT = 200_000
/** The longest that one benchmark may take. */
const MINUTES = 20
const SMOKE_MINUTES = 3
const SMOKE = { rounds: 1, count: 500 }

// A test runner sets another one, with which React is built for development.
process.env.NODE_ENV = 'production'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    count: { type: 'string' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
  },
})
for (const name of positionals)
  if (!(name in BENCHMARKS))
    throw new Error(
      `There is no benchmark "${name}". There are: ${Object.keys(BENCHMARKS).join(', ')}`,
    )

if (!values.check) await benchAll(positionals.length > 0 ? positionals : Object.keys(BENCHMARKS))
const stale = staleResults()
if (stale.length > 0) process.stdout.write(`Published results:\n  ${stale.join('\n  ')}\n`)
// A benchmark that failed may have left something running; children end with this process.
process.exit()

async function benchAll(names) {
  // The stored hash is that of the sources: a bundle of others must not be measured.
  build()
  const start = performance.now()
  for (const name of names) await tryBench(name)
  if (values.write) writePage()
  process.stdout.write(`All of it took ${duration(start)}.\n`)
}

/** A benchmark that fails does not keep the others from running. */
async function tryBench(name) {
  try {
    await inTime(bench(name))
  } catch (error) {
    process.exitCode = 1
    const text = `\n## ${name}: FAILED\n\n${error.stack}\n`
    process.stdout.write(text)
    if (!process.stderr.isTTY) process.stderr.write(text)
  }
}

/** Each wait of a benchmark is for another process, which may hang. */
function inTime(done) {
  const minutes = values.smoke ? SMOKE_MINUTES : MINUTES
  const late = new Promise((_, reject) => {
    const fail = () => reject(new Error(`It did not end within ${minutes} minutes.`))
    setTimeout(fail, minutes * 60_000).unref()
  })
  return Promise.race([done, late])
}

async function bench(name) {
  const { load, rounds = ROUNDS, title } = BENCHMARKS[name]
  const { measure, sizes } = await load()
  const start = performance.now()
  const options = {
    rounds: Number(values.rounds ?? (values.smoke ? SMOKE.rounds : rounds)),
    count: Number(values.count ?? (values.smoke ? SMOKE.count : COUNT)),
  }
  const before = loadavg()[0]
  const size = values.smoke ? sizes.smoke : sizes.full
  const { tables, figures } = await measure({ ...options, size, note: (text) => note(name, text) })
  const judged = judge(name, figures)
  // The load of the last minute, to show other work of the machine. The benchmark itself adds about two.
  const loadAverage = { before, after: loadavg()[0] }
  const measured = { commit: commit(), sources: sourcesHash(name) }
  const result = { ...measured, machine: machine(), loadAverage, ...options, figures, tables }
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
  const parts = tables.map(({ title, rows }) => `${title}\n\n${toTable(rows)}`)
  // Tiny sizes say nothing about speed.
  if (judged.length > 0 && !values.smoke) parts.push(toTargetTable(judged))
  process.stdout.write(`\n## ${name}: ${title}\n\n${parts.join('\n')}\n`)
  process.stdout.write(
    `${describeMachine(result.machine)}, load ${before.toFixed(1)}, medians of ${options.rounds} rounds, ${duration(start)}.\n`,
  )
  if (values.write) writeResult(name, result)
}

function note(name, text) {
  const line = `${name}: ${text}`
  process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${line}` : `${line}\n`)
}

function duration(start) {
  const seconds = Math.round((performance.now() - start) / 1000)
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`
}
