// Compares two texts line by line within a fixed effort: Myers' algorithm first, then lines that occur once in both texts
// as anchors, and as the last resort one block of removed and added lines.

/** Lines that replace others; `end` is exclusive. One of the two sides may be empty. */
export type LineEdit = {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** The number of edits that Myers' algorithm searches for; its time and memory grow with the square. */
const MAX_EDITS = 500
/** Steps of all searches together. It depends on the texts alone, so the result is the same on every machine. */
const MAX_STEPS = 1_000_000
const MAX_COLLISIONS = 64

export function compareLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const ids = new LineIds(before.length + after.length)
  const [a, b] = [ids.of(before), ids.of(after)]
  const comparison = new Comparison(a, b, ids.count)
  comparison.compare({ oldStart: 0, oldEnd: a.length, newStart: 0, newEnd: b.length })
  return comparison.edits
}

/** Numbers lines; equal lines have equal numbers. A hash table of its own, because a Map of so many strings is slow. */
class LineIds {
  readonly #table: Int32Array
  readonly #lines: string[] = []

  constructor(lineCount: number) {
    // At most half full.
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * lineCount + 2)))
  }

  get count(): number {
    return this.#lines.length
  }

  of(lines: readonly string[]): Int32Array {
    const ids = new Int32Array(lines.length)
    for (let at = 0; at < lines.length; at++) ids[at] = this.#idOf(lines[at] ?? '')
    return ids
  }

  #idOf(line: string): number {
    const last = this.#table.length - 1
    let at = hashOf(line) & last
    for (let tried = 0; tried < MAX_COLLISIONS; tried++, at = (at + 1) & last) {
      const found = (this.#table[at] ?? 0) - 1
      if (found >= 0 && this.#lines[found] === line) return found
      if (found < 0) break
    }
    // After too many collisions, which only crafted lines have, an equal line counts as another one.
    this.#table[at] = this.#lines.push(line)
    return this.#lines.length - 1
  }
}

function hashOf(line: string): number {
  let hash = line.length
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}

class Comparison {
  readonly edits: LineEdit[] = []
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #lineCount: number
  #stepsLeft = MAX_STEPS

  constructor(a: Int32Array, b: Int32Array, lineCount: number) {
    this.#a = a
    this.#b = b
    this.#lineCount = lineCount
  }

  compare(range: LineEdit): void {
    const inner = this.#withoutEqualEnds(range)
    const { oldStart, oldEnd, newStart, newEnd } = inner
    if (oldStart === oldEnd && newStart === newEnd) return
    const isOneLine = oldEnd - oldStart === 1 && newEnd - newStart === 1
    if (oldStart === oldEnd || newStart === newEnd || isOneLine) return this.#add(inner)
    const edits = this.#shortestEdits(inner)
    if (edits) return edits.forEach((edit) => this.#add(edit))
    const anchors = this.#anchors(inner)
    if (anchors.length === 0) return this.#add(inner)
    let [fromOld, fromNew] = [oldStart, newStart]
    for (const { oldAt, newAt } of [...anchors, { oldAt: oldEnd, newAt: newEnd }]) {
      this.compare({ oldStart: fromOld, oldEnd: oldAt, newStart: fromNew, newEnd: newAt })
      fromOld = oldAt + 1
      fromNew = newAt + 1
    }
  }

  #add(edit: LineEdit): void {
    const last = this.edits.at(-1)
    const isNext = last?.oldEnd === edit.oldStart && last.newEnd === edit.newStart
    if (!last || !isNext) this.edits.push(edit)
    else this.edits[this.edits.length - 1] = { ...last, oldEnd: edit.oldEnd, newEnd: edit.newEnd }
  }

  #withoutEqualEnds({ oldStart, oldEnd, newStart, newEnd }: LineEdit): LineEdit {
    const [a, b] = [this.#a, this.#b]
    while (oldStart < oldEnd && newStart < newEnd && a[oldStart] === b[newStart]) {
      oldStart += 1
      newStart += 1
    }
    while (oldEnd > oldStart && newEnd > newStart && a[oldEnd - 1] === b[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
    }
    return { oldStart, oldEnd, newStart, newEnd }
  }

  /**
   * Myers' greedy search: for each number of edits the furthest line reached on each diagonal (old line minus new line).
   * Undefined when the effort does not suffice.
   */
  #shortestEdits(range: LineEdit): LineEdit[] | undefined {
    const { oldStart, oldEnd, newStart, newEnd } = range
    const [a, b] = [this.#a, this.#b]
    const [width, height] = [oldEnd - oldStart, newEnd - newStart]
    const most = Math.min(width + height, MAX_EDITS)
    const reached = new Int32Array(2 * most + 3)
    const middle = most + 1
    const history: Int32Array[] = []
    for (let edits = 0; edits <= most && this.#stepsLeft > 0; edits++) {
      history.push(reached.slice(middle - edits - 1, middle + edits + 2))
      for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const at = middle + diagonal
        const isAdded = isAddition(reached, at, { diagonal, edits })
        const from = isAdded ? (reached[at + 1] ?? 0) : (reached[at - 1] ?? 0) + 1
        let [x, y] = [from, from - diagonal]
        while (x < width && y < height && a[oldStart + x] === b[newStart + y]) {
          x += 1
          y += 1
        }
        this.#stepsLeft -= 1 + x - from
        reached[at] = x
        if (x >= width && y >= height) return pathOf(history, range)
      }
    }
    return undefined
  }

  /** Lines that occur once on both sides, as the longest list that is in order on both. */
  #anchors({ oldStart, oldEnd, newStart, newEnd }: LineEdit): Anchor[] {
    this.#stepsLeft -= this.#lineCount
    if (this.#stepsLeft < 0) return []
    const oldPlaces = placesOf(this.#a.subarray(oldStart, oldEnd), this.#lineCount)
    const newPlaces = placesOf(this.#b.subarray(newStart, newEnd), this.#lineCount)
    const common: Anchor[] = []
    for (let at = oldStart; at < oldEnd; at++) {
      const id = this.#a[at] ?? 0
      const newAt = newPlaces[id] ?? 0
      if (newAt > 0 && oldPlaces[id] === at - oldStart + 1)
        common.push({ oldAt: at, newAt: newStart + newAt - 1 })
    }
    return longestInOrder(common)
  }
}

type Anchor = { readonly oldAt: number; readonly newAt: number }

/** True when the best way to this diagonal adds a line; else it removes one. */
function isAddition(
  reached: Int32Array,
  at: number,
  { diagonal, edits }: { readonly diagonal: number; readonly edits: number },
): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && (reached[at - 1] ?? 0) < (reached[at + 1] ?? 0)
}

/** Walks back from the end of both sides. `history` has the lines reached before each edit. */
function pathOf(history: readonly Int32Array[], range: LineEdit): LineEdit[] {
  const { oldStart, newStart } = range
  let [x, y] = [range.oldEnd - oldStart, range.newEnd - newStart]
  const edits: LineEdit[] = []
  for (let count = history.length - 1; count > 0; count--) {
    const reached = history[count] ?? new Int32Array()
    const at = x - y + count + 1
    const isAdded = isAddition(reached, at, { diagonal: x - y, edits: count })
    const diagonal = isAdded ? x - y + 1 : x - y - 1
    x = reached[isAdded ? at + 1 : at - 1] ?? 0
    y = x - diagonal
    const [oldAt, newAt] = [oldStart + x, newStart + y]
    edits.push({
      oldStart: oldAt,
      oldEnd: isAdded ? oldAt : oldAt + 1,
      newStart: newAt,
      newEnd: isAdded ? newAt + 1 : newAt,
    })
  }
  return edits.toReversed()
}

/** By line: 0 when it does not occur, its place counted from 1, or -1 when it occurs more than once. */
function placesOf(lines: Int32Array, lineCount: number): Int32Array {
  const places = new Int32Array(lineCount)
  lines.forEach((id, at) => (places[id] = places[id] === 0 ? at + 1 : -1))
  return places
}

/** The longest increasing subsequence of the places in the new text, by patience sorting. */
function longestInOrder(anchors: readonly Anchor[]): Anchor[] {
  const ends: number[] = []
  const previous = new Int32Array(anchors.length)
  for (const [index, { newAt }] of anchors.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const half = (low + high) >> 1
      if ((anchors[ends[half] ?? 0]?.newAt ?? 0) < newAt) low = half + 1
      else high = half
    }
    previous[index] = ends[low - 1] ?? -1
    ends[low] = index
  }
  const longest: Anchor[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1)
    longest.push(anchors[index] as Anchor)
  return longest.toReversed()
}
