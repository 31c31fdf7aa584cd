// The plots of docs/performance.md: which figures of which table, and the target they are compared with.
import { BENCHMARKS } from '../targets.mjs'
import { barPlot } from './bar-plot.mjs'

const isHub = (label) =>
  /^(hub|Quayside|the app|text|mixed|tools|\d)/.test(label) && !label.includes('(b)')

/** `value` is a column of the benchmark's first table. `targets`: the figures whose limits apply to the rows with such labels. */
const PLOTS = [
  {
    name: 'relay-rate',
    benchmark: 'relay',
    title: 'Updates a second to followers, relative to readline + JSON.parse',
    value: '× (b)',
    targets: {
      text1Rate: /^text, 1 f/,
      text10Rate: /^text, 10 /,
      text100Rate: /^text, 100 /,
      mixedRate: /^mixed, 1 /,
    },
  },
  {
    name: 'neighbours',
    benchmark: 'neighbours',
    title: 'Slowest one percent of the updates of another session',
    value: 'p99',
    targets: { oneReplayP99: /client replays/, tenJoinP99: /clients join/ },
  },
  {
    name: 'first-screen',
    benchmark: 'long',
    title: 'First screen of a session',
    value: 'ms',
    targets: { screenMs: /./ },
  },
  {
    name: 'restart',
    benchmark: 'restarts',
    title: 'Listening after kill -9, relative to bare Express',
    value: '× bare',
    targets: { killed: /^hub/ },
  },
  {
    name: 'first-words',
    benchmark: 'prompts',
    title: 'From a prompt to the first words, median',
    value: 'p50',
    targets: { smallMs: /^hub, 3 files/, largeMs: /^hub, 20000 files/, twentyP50: /^hub, 20 demo/ },
  },
  {
    name: 'lists',
    benchmark: 'lists',
    title: 'Lists and search over HTTP, share of the time allowed',
    value: 'p50 of target',
    targets: { searchP50: /^search/, listP50: /^(?!search)/ },
  },
  {
    name: 'page',
    benchmark: 'page',
    title: 'Time of a frame while an agent writes, p95',
    value: 'frame p95 ms',
    targets: { frameP95: /^the app/ },
  },
  {
    name: 'peers-text',
    benchmark: 'peers',
    title: 'Text through other programs, relative to readline + JSON.parse',
    value: 'text × (b)',
    targets: {},
  },
  {
    name: 'peers-mixed',
    benchmark: 'peers',
    title: 'Mixed updates through other programs, relative to readline + JSON.parse',
    value: 'mixed × (b)',
    targets: {},
  },
]

/** The SVG files of a benchmark by their names. */
export function plotsOf(benchmark, { tables }) {
  const plots = PLOTS.filter((plot) => plot.benchmark === benchmark)
  return Object.fromEntries(plots.map((plot) => [plot.name, toPlot(plot, tables)]))
}

function toPlot({ benchmark, title, value, targets }, [{ rows }]) {
  const [labelColumn] = Object.keys(rows[0])
  const limits = Object.entries(targets).map(([id, pattern]) => ({
    ...BENCHMARKS[benchmark].targets[id],
    pattern,
  }))
  const bars = rows
    .filter((row) => typeof row[value] === 'number')
    .map((row) => toBar(row[labelColumn], row[value], limits))
  return barPlot({ title, unit: limits[0]?.unit ?? '× (b)', bars })
}

function toBar(label, value, limits) {
  const target = limits.find(({ pattern }) => pattern.test(label))
  const own = target === undefined && !isHub(label) ? 'other' : 'own'
  const kind = target?.isMet(value) === false ? 'missed' : own
  return { label, value, kind, limit: target?.limit }
}
