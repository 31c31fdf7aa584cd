// A folder of small files, created once per process and kept in memory: writing it is cheaper than creating it again.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

export class FolderImage {
  readonly #make: (path: string) => void
  #files: readonly (readonly [path: string, bytes: Buffer])[] | undefined

  constructor(make: (path: string) => void) {
    this.#make = make
  }

  writeTo(path: string): void {
    this.#files ??= this.#read()
    for (const [file, bytes] of this.#files) {
      const target = join(path, file)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      writeFileSync(target, bytes, { mode: 0o600 })
    }
  }

  #read() {
    const folder = mkdtempSync(join(tmpdir(), 'quayside-image-'))
    try {
      this.#make(folder)
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [relative(folder, file), readFileSync(file)] as const)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
