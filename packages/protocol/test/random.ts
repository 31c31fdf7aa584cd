// Random values from a seed, so that a failing run can be repeated.

/** mulberry32: small, fast and the same on every platform. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }
}

/** Runs `check` with many seeds; a failure names its seed. `FUZZ_SEED` repeats one. */
export function withSeeds(count: number, check: (random: Random) => void): void {
  const given = process.env['FUZZ_SEED']
  const first = given === undefined ? Date.now() % 1_000_000_000 : Number(given)
  for (let seed = first; seed < first + (given === undefined ? count : 1); seed += 1) {
    try {
      check(new Random(seed))
    } catch (cause) {
      throw new Error(`Failed with FUZZ_SEED=${seed}: ${String(cause)}`, { cause })
    }
  }
}
