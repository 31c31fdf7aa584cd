// The stored results: one file a benchmark, with the machine, its load and the code that was measured.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { BENCHMARKS } from '../targets.mjs'
import { sourcesHash } from './sources.mjs'

const RESULTS = new URL('../results/', import.meta.url)

export function writeResult(name, result) {
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(fileOf(name), `${JSON.stringify(result, undefined, 2)}\n`)
}

/** By the names of the benchmarks, in their order. A benchmark that was never stored has none. */
export function readResults() {
  return Object.fromEntries(
    Object.keys(BENCHMARKS)
      .filter((name) => existsSync(fileOf(name)))
      .map((name) => [name, JSON.parse(readFileSync(fileOf(name), 'utf8'))]),
  )
}

/** One line for each stored result that does not describe the code as it is. */
export function staleResults(results = readResults()) {
  return Object.entries(results)
    .filter(([name, { sources }]) => sources !== sourcesHash(name))
    .map(([name, { commit = 'an unknown commit' }]) => `${name}: stale, measured at ${commit}`)
}

/** The figures of a benchmark beside their targets. */
export function judge(name, figures) {
  return Object.entries(BENCHMARKS[name].targets).map(([id, target]) => {
    const value = figures[id]
    if (value === undefined) throw new Error(`${name} did not measure ${id}`)
    return { id, ...target, value, verdict: verdictOf(target, value) }
  })
}

function verdictOf({ isMet }, value) {
  if (isMet === undefined) return ''
  return isMet(value) ? 'met' : 'missed'
}

/** No host names, no paths: results are published. */
export function machine() {
  const [cpu] = cpus()
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
  }
}

function fileOf(name) {
  return new URL(`${name}.json`, RESULTS)
}
