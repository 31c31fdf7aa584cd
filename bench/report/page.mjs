// docs/performance.md and its plots, written from the stored results. A test compares them.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { BENCHMARKS } from '../targets.mjs'
import { describeMachine, toTable, toTargetTable } from './markdown.mjs'
import { plotsOf } from './plots.mjs'
import { judge, readResults } from './results.mjs'

export const PAGE = new URL('../../docs/performance.md', import.meta.url)
export const IMAGES = new URL('../../docs/images/performance/', import.meta.url)

const INTRODUCTION = `# Performance

What a user feels, in figures. \`npm run bench -- --write\` measures all of it and writes this page; [bench/README.md](../bench/README.md) describes the
benchmarks. Every figure is measured through a whole hub with sign-in and full durability, beside floors in the same run: ratios hold on
other machines, milliseconds do not. A target that is not met says **missed**.
`

/** The page and the plots as text, by their file names. */
export function renderPage(results = readResults()) {
  const sections = Object.entries(results).map(([name, result]) => toSection(name, result))
  const plots = Object.entries(results).flatMap(([name, result]) =>
    Object.entries(plotsOf(name, result)).map(([file, svg]) => [`${file}.svg`, svg]),
  )
  return {
    page: [INTRODUCTION, toSummary(results), ...sections].join('\n'),
    plots: Object.fromEntries(plots),
  }
}

export function writePage() {
  const { page, plots } = renderPage()
  mkdirSync(IMAGES, { recursive: true })
  for (const file of readdirSync(IMAGES)) if (!(file in plots)) rmSync(new URL(file, IMAGES))
  for (const [file, svg] of Object.entries(plots)) writeFileSync(new URL(file, IMAGES), svg)
  writeFileSync(PAGE, page)
}

function toSummary(results) {
  const rows = Object.entries(results).map(([name, { figures, commit }]) => {
    const judged = judge(name, figures).filter(({ verdict }) => verdict !== '')
    const missed = judged.filter(({ verdict }) => verdict === 'missed').length
    const { title } = BENCHMARKS[name]
    return {
      '': `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`,
      'targets met': judged.length === 0 ? '–' : `${judged.length - missed} of ${judged.length}`,
      missed: missed === 0 ? '' : `**${missed}**`,
      'measured at': commit === undefined ? '' : `\`${commit}\``,
    }
  })
  return toTable(rows)
}

function toSection(name, result) {
  const { title, feels, what, floors } = BENCHMARKS[name]
  const images = Object.keys(plotsOf(name, result)).map(
    (file) => `![${title}: a plot of the table below](images/performance/${file}.svg)\n`,
  )
  const judged = judge(name, result.figures)
  const details = result.tables.map(({ title, rows }) => `${title}\n\n${toTable(rows)}`)
  return [
    `## ${title}\n`,
    `${feels}\n`,
    ...images,
    ...(judged.length === 0 ? [] : [toTargetTable(judged)]),
    `Measured: ${what}. Beside it: ${floors}. ${conditions(result)}\n`,
    `<details><summary>All figures</summary>\n\n${details.join('\n')}\n</details>\n`,
  ].join('\n')
}

/** Figures of a busy machine are published as such. */
function conditions({ machine, rounds, loadAverage, commit = 'an unknown commit' }) {
  const load = `load ${loadAverage.before.toFixed(1)} before`
  const isBusy = loadAverage.before > machine.cores / 2
  const busy = isBusy ? ' **The machine was busy with other work: times are too long.**' : ''
  return `Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${describeMachine(machine)}, ${load}, at \`${commit}\`.${busy}`
}
