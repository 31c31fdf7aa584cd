// Ranks paths for a few typed letters: the name's start, then a word in it, then anywhere, then letters in order.

export type Candidate = {
  readonly path: string
  readonly lowerPath: string
  /** The index of the file name in the path. */
  readonly nameAt: number
  readonly depth: number
}

/** Lower is better; the ranks are tried in this order. */
const RANKS: readonly ((candidate: Candidate, query: string) => boolean)[] = [
  ({ lowerPath, nameAt }, query) =>
    lowerPath.length - nameAt === query.length && lowerPath.endsWith(query),
  ({ lowerPath, nameAt }, query) => lowerPath.startsWith(query, nameAt),
  hasWordInName,
  ({ lowerPath, nameAt }, query) => lowerPath.includes(query, nameAt),
  ({ lowerPath }, query) => lowerPath.startsWith(query) || lowerPath.includes(`/${query}`),
  ({ lowerPath }, query) => lowerPath.includes(query),
  ({ lowerPath, nameAt }, query) => hasLettersInOrder(lowerPath, query, nameAt),
  ({ lowerPath }, query) => hasLettersInOrder(lowerPath, query, 0),
]

export function toCandidate(path: string): Candidate {
  const depth = path.split('/').length
  return { path, lowerPath: path.toLowerCase(), nameAt: path.lastIndexOf('/') + 1, depth }
}

/** Without a query: paths near the top of the tree. */
export function bestMatches(
  candidates: readonly Candidate[],
  query: string,
  limit: number,
): string[] {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '')
  const ranked: Candidate[][] = RANKS.map(() => [])
  for (const candidate of candidates) {
    const rank = wanted === '' ? 0 : RANKS.findIndex((fits) => fits(candidate, wanted))
    ranked[rank]?.push(candidate)
  }
  const best: string[] = []
  for (const group of ranked) {
    if (best.length >= limit) break
    const sorted = wanted === '' ? group.toSorted(byDepth) : group.toSorted(byLength)
    best.push(...sorted.slice(0, limit - best.length).map(({ path }) => path))
  }
  return best
}

/** After a separator, or at a capital letter: `log` in `event-log.ts` and in `eventLog.ts`, not in `catalog.ts`. */
function hasWordInName({ path, lowerPath, nameAt }: Candidate, query: string): boolean {
  // Lower-casing changes the length of some letters. Then the indices of the two texts differ.
  if (path.length !== lowerPath.length) return false
  for (let at = lowerPath.indexOf(query, nameAt); at >= 0; at = lowerPath.indexOf(query, at + 1)) {
    const isCapital = path[at] !== lowerPath[at]
    if (isCapital || /[^a-z0-9]/.test(lowerPath[at - 1] ?? '/')) return true
  }
  return false
}

function hasLettersInOrder(text: string, letters: string, from: number): boolean {
  let at = from - 1
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}

function byLength(a: Candidate, b: Candidate): number {
  return a.path.length - b.path.length || compare(a.path, b.path)
}

function byDepth(a: Candidate, b: Candidate): number {
  return a.depth - b.depth || compare(a.path, b.path)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
