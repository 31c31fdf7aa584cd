// Finds the known word that a person probably meant.

const MAX_DISTANCE = 3
const MAX_CHARS = 60

/** Undefined when no known word is similar. */
export function findSimilar(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase().slice(0, MAX_CHARS)
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const other = candidate.toLowerCase().slice(0, MAX_CHARS)
    const limit = Math.min(MAX_DISTANCE, Math.floor(Math.max(typed.length, other.length) * 0.4))
    const distance = distanceOf(typed, other)
    if (distance <= limit && distance < (best?.distance ?? Infinity))
      best = { word: candidate, distance }
  }
  return best?.word
}

/** The number of insertions, deletions, replacements and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
      )
    }
    ;[beforeLast, last] = [last, next]
  }
  return last[b.length] ?? 0
}
