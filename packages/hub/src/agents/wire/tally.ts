// Counts by name. Names come from agents, so the number of distinct names is limited.

const MAX_NAMES = 64
const MAX_NAME_CHARS = 64

export class Tally {
  readonly #counts = new Map<string, number>()

  add(name: string, times = 1): void {
    const short = name.length > MAX_NAME_CHARS ? name.slice(0, MAX_NAME_CHARS) : name
    const count = this.#counts.get(short)
    if (count !== undefined) this.#counts.set(short, count + times)
    else if (this.#counts.size < MAX_NAMES) this.#counts.set(short, times)
    else this.#counts.set('other', (this.#counts.get('other') ?? 0) + times)
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}
