// The output of a program so far, and waits for text in it.
const UNTIL_MS = 45_000

type Wait<T> = {
  /** For the message of a failure. */
  readonly what: string
  readonly find: (text: string) => T | undefined | false
  /** Called at the end of the output. */
  readonly ended: Promise<unknown>
}

export class SaidText {
  readonly #program: string
  readonly #looks = new Set<() => void>()
  #text = ''

  constructor(args: readonly string[]) {
    this.#program = `quayside ${args.join(' ')}`
  }

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
    for (const look of this.#looks) look()
  }

  /** Resolves with the first result of `find`. Rejects with the output when the program ends first, or after a time limit. */
  until<T>({ what, find, ended }: Wait<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        stop()
        reject(new Error(`${why}: ${what}\n${this.describe()}`))
      }
      const late = setTimeout(fail, UNTIL_MS, `It was not said in ${UNTIL_MS} ms`)
      const look = (): void => {
        const found = find(this.#text)
        if (found === undefined || found === false) return
        stop()
        resolve(found)
      }
      const stop = (): void => {
        clearTimeout(late)
        this.#looks.delete(look)
      }
      this.#looks.add(look)
      look()
      const end = (how: unknown): void => fail(`It ended (${JSON.stringify(how)}) before it said`)
      ended.then(end, end)
    })
  }

  untilTimes(wanted: string, times: number, ended: Promise<unknown>): Promise<boolean> {
    const find = (text: string): boolean => text.split(wanted).length > times
    return this.until({ what: `${wanted} (${times} times)`, find, ended })
  }

  describe(): string {
    return `${this.#program} said:\n${this.#text}`
  }
}
