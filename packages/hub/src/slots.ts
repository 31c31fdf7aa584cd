// Limits how much of one kind runs at a time. The rest waits in order.

export class Slots {
  readonly #max: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#taken += 1
    try {
      return await work()
    } finally {
      // The slot passes to the next in line.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#taken -= 1
    }
  }
}
