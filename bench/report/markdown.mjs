// Results as Markdown: tables of figures, and figures beside their targets.

/** `names`: the columns; by default those of the first row. */
export function toTable(rows, names = Object.keys(rows[0])) {
  const line = (cells) => `| ${cells.join(' | ')} |\n`
  const rule = names.map((_, index) => (index === 0 ? '---' : '---:'))
  const body = rows.map((row) =>
    line(names.map((name) => (row[name] ?? '').toLocaleString('en-US'))),
  )
  return `${line(names)}${line(rule)}${body.join('')}`
}

/** `judged`: from `judge`. */
export function toTargetTable(judged) {
  return toTable(
    judged.map((one) => ({
      figure: one.what,
      measured: `${one.value.toLocaleString('en-US')} ${one.unit}`,
      target: targetOf(one),
      '': one.verdict === 'missed' ? '**missed**' : one.verdict,
    })),
  )
}

export function targetOf({ limit, unit, isLower }) {
  return limit === undefined ? '–' : `${isLower ? '≥' : '≤'} ${limit} ${unit}`
}

export function describeMachine({ node, platform, cpu, cores, memoryGb }) {
  return `Node ${node}, ${platform}, ${cores} × ${cpu}, ${memoryGb} GB`
}
