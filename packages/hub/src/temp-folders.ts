// Folders in the system's temporary folder. They carry the pid of their process, so that the next hub removes those that a killed one left behind.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^quayside-[a-z]+-(\d+)-/

/** A folder for as long as it is needed and no longer than the process lives. */
export class TempFolder {
  readonly path: string
  readonly #remove = (): void => rmSync(this.path, { recursive: true, force: true })

  constructor(purpose: string) {
    this.path = realpathSync(mkdtempSync(prefixFor(purpose)))
    process.once('exit', this.#remove)
  }

  remove(): void {
    process.off('exit', this.#remove)
    this.#remove()
  }
}

/** The caller removes it. */
export function makeTempFolder(purpose: string): Promise<string> {
  return mkdtemp(prefixFor(purpose))
}

/** Removes the folders of processes that are gone. */
export async function sweepTempFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    // Another user's folder stays.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function prefixFor(purpose: string): string {
  return join(tmpdir(), `quayside-${purpose}-${process.pid}-`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
