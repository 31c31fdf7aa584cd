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
