// Prints the figures of `npm run test:torture` as one table: what was tried, how often, with which seed, how long, and failures.
import type { Reporter, TestCase, TestModule } from 'vitest/node'

type Row = readonly [what: string, count: string, seconds: string, failures: string]

const HEAD: Row = ['what', 'count', 'seconds', 'failures']

export class TortureTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const rows = tests.flatMap(rowOf)
    const failed = tests.filter((test) => test.result().state === 'failed')
    const unnamed = failed.filter((test) => figureOf(test) === undefined)
    const all: Row[] = [
      HEAD,
      ...rows,
      ...unnamed.map((test): Row => [test.name, '', secondsOf(test), '1']),
    ]
    const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
    const line = (row: Row): string =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
        .join('  ')
    const seed = process.env['QUAYSIDE_TEST_SEED'] ?? 'none'
    console.log(
      `\n${all.map(line).join('\n')}\n\n${failed.length} failures, QUAYSIDE_TEST_SEED=${seed}\n`,
    )
  }
}

type Figure = { readonly what: string; readonly count: number }

function figureOf(test: TestCase): Figure | undefined {
  return (test.meta() as { figure?: Figure }).figure
}

function rowOf(test: TestCase): Row[] {
  const figure = figureOf(test)
  if (figure === undefined) return []
  const hasFailed = test.result().state === 'failed'
  const count = figure.count.toLocaleString('en-US')
  return [[figure.what, count, secondsOf(test), hasFailed ? '1' : '0']]
}

function secondsOf(test: TestCase): string {
  return ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(0)
}
