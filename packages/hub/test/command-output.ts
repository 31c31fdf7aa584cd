// The output of a program so far, and waits for text in it.
const UNTIL_MS = 45_000

type Wait<T> = {
  /** For the message of a failure. */
  readonly what: string
  readonly find: (text: string) => T | undefined | false
  /** Called at the end of the output. */
  readonly ended: Promise<unknown>
}

export class CommandOutput {
  readonly #program: string
  readonly #checks = new Set<() => void>()
  #text = ''

  constructor(args: readonly string[]) {
    this.#program = `quayside ${args.join(' ')}`
  }

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
    for (const check of this.#checks) check()
  }

  /** Resolves with the first result of `find`. Rejects with the output when the program ends first, or after a time limit. */
  until<T>({ what, find, ended }: Wait<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        stop()
        reject(new Error(`${reason}: ${what}\n${this.describe()}`))
      }
      const timer = setTimeout(fail, UNTIL_MS, `No such output in ${UNTIL_MS} ms`)
      const check = (): void => {
        const found = find(this.#text)
        if (found === undefined || found === false) return
        stop()
        resolve(found)
      }
      const stop = (): void => {
        clearTimeout(timer)
        this.#checks.delete(check)
      }
      this.#checks.add(check)
      check()
      const end = (how: unknown): void =>
        fail(`It ended (${JSON.stringify(how)}) before this output`)
      ended.then(end, end)
    })
  }

  untilTimes(wanted: string, times: number, ended: Promise<unknown>): Promise<boolean> {
    const find = (text: string): boolean => text.split(wanted).length > times
    return this.until({ what: `${wanted} (${times} times)`, find, ended })
  }

  describe(): string {
    return `${this.#program} printed:\n${this.#text}`
  }
}
