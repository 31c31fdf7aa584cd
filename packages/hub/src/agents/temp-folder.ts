// A folder of one's own in the temporary folder, for as long as it is needed and no longer than the process lives.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class TempFolder {
  readonly path: string
  readonly #remove = (): void => rmSync(this.path, { recursive: true, force: true })

  constructor(what: string) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), `quayside-${what}-`)))
    process.once('exit', this.#remove)
  }

  remove(): void {
    process.off('exit', this.#remove)
    this.#remove()
  }
}
