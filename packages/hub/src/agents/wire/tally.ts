// Counts by name. The names come from an agent, so there is a limit to how many are told apart.

const MAX_NAMES = 64
const MAX_NAME_CHARS = 64

export class Tally {
  readonly #counts = new Map<string, number>()

  add(name: string): void {
    const short = name.length > MAX_NAME_CHARS ? name.slice(0, MAX_NAME_CHARS) : name
    const isNew = !this.#counts.has(short)
    const counted = isNew && this.#counts.size >= MAX_NAMES ? 'other' : short
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1)
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}
