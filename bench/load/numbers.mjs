// Statistics over several measurements.

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Half the distance between the quartiles, relative to the median. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part) => sorted[Math.round((sorted.length - 1) * part)]
  return (at(0.75) - at(0.25)) / 2 / median(values)
}

export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

export function quantiles(values) {
  return { p50: median(values), p99: percentile(values, 0.99), worst: Math.max(...values) }
}

/** Three digits are as much as a busy machine allows. */
export function round(value) {
  return Number(value.toPrecision(3))
}

/** The median of every figure of a table over all rounds, row by row. */
export function medianRows(rounds) {
  return rounds[0].map((row, index) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) =>
        typeof value === 'number'
          ? [name, round(median(rounds.map((rows) => rows[index][name])))]
          : [name, value],
      ),
    ),
  )
}

/** Another first element in every round, so that no measurement always runs on a warm or a tired machine. */
export function rotated(items, by) {
  const at = by % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}
