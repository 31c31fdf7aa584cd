// A clock of a child that a test sets, with libfaketime. Where it is not installed, there is none.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The one for programs with threads. */
export const FAKETIME = [
  ...['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/faketime`),
  '/usr/lib/faketime',
  '/usr/lib64/faketime',
  '/usr/local/lib/faketime',
]
  .map((folder) => join(folder, 'libfaketimeMT.so.1'))
  .find((file) => existsSync(file))

export class FakeClock {
  readonly #file: string

  /** `file` has the difference to the clock of the machine. */
  constructor(file: string) {
    this.#file = file
    this.jump('+0h')
  }

  /** Of the child. Steady clocks are the machine's. */
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: FAKETIME!,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  /** Such as `+5h`. */
  jump(difference: string): void {
    writeFileSync(this.#file, `${difference}\n`)
  }
}
