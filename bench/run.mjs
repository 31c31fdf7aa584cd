// `npm run bench`: measures the built hub, compares it with floors and prints ratios. Options: names of benchmarks, --rounds=5,
// --count=200000, and --write, which keeps the tables in bench/results.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchIdle } from './idle.mjs'
import { benchLists } from './lists.mjs'
import { benchPage } from './page.mjs'
import { benchReader } from './reader.mjs'
import { benchRelay } from './relay.mjs'
import { benchStarts } from './starts.mjs'

const BENCHMARKS = {
  idle: benchIdle,
  lists: benchLists,
  page: benchPage,
  reader: benchReader,
  relay: benchRelay,
  starts: benchStarts,
}
const BUILT = new URL('../packages/hub/bundle/index.js', import.meta.url)
const RESULTS = new URL('results/', import.meta.url)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    count: { type: 'string', default: '200000' },
    write: { type: 'boolean', default: false },
  },
})
if (!existsSync(BUILT)) throw new Error('The hub is not built. Run: npm run build')

const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)
for (const name of names) await bench(name)

async function bench(name) {
  const measure = BENCHMARKS[name]
  if (measure === undefined) throw new Error(`There is no benchmark "${name}".`)
  const options = { rounds: Number(values.rounds), count: Number(values.count) }
  const before = loadavg()[0]
  const tables = await measure({ ...options, note })
  process.stderr.write('\n')
  process.stdout.write(`${tables.map(toMarkdown).join('\n')}\n${describeMachine()}\n`)
  // The load of the last minute, to show other work of the machine. The benchmark itself adds about two.
  const loadAverage = { before, after: loadavg()[0] }
  if (values.write) writeResult(name, { machine: machine(), loadAverage, ...options, tables })
}

function note(text) {
  process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${text}` : `${text}\n`)
}

function toMarkdown({ title, rows }) {
  const names = Object.keys(rows[0])
  const line = (cells) => `| ${cells.join(' | ')} |\n`
  const rule = names.map((_, index) => (index === 0 ? '---' : '---:'))
  const body = rows.map((row) => line(names.map((name) => row[name].toLocaleString('en-US'))))
  return `${title}\n\n${line(names)}${line(rule)}${body.join('')}`
}

/** No host names, no paths: results are published. */
function machine() {
  const [cpu] = cpus()
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
  }
}

function describeMachine() {
  const { node, platform, cpu, cores, memoryGb } = machine()
  return `Node ${node}, ${platform}, ${cores} × ${cpu}, ${memoryGb} GB. Ratios hold, absolute figures do not.`
}

function writeResult(name, result) {
  mkdirSync(RESULTS, { recursive: true })
  const file = fileURLToPath(new URL(`${name}.json`, RESULTS))
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`)
}
