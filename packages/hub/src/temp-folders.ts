// Folders in the system's temporary folder, named with the pid of their process, so that the next hub can remove those of
// a killed process.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './is-alive.js'

const NAME = /^quayside-[a-z]+-(\d+)-/

/** Folders that are in use. They are removed at the latest when this process exits. */
const open = new Set<string>()

process.once('exit', () => {
  for (const path of open) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
})

/** Removed by `remove`, at the latest when the process exits. */
export class TempFolder {
  readonly path: string

  constructor(purpose: string) {
    this.path = realpathSync(mkdtempSync(prefixFor(purpose)))
    open.add(this.path)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
    open.delete(this.path)
  }
}

/** The caller removes it with `removeTempFolder`. */
export async function makeTempFolder(purpose: string): Promise<string> {
  const path = await mkdtemp(prefixFor(purpose))
  open.add(path)
  return path
}

/** Never fails: a folder that cannot be removed now, as without a free descriptor, goes when the process exits. */
export async function removeTempFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
    open.delete(path)
  } catch {
    // It stays in `open`.
  }
}

/** Removes the folders of processes that have exited. */
export async function sweepTempFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    // A folder of another user cannot be removed.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function prefixFor(purpose: string): string {
  return join(tmpdir(), `quayside-${purpose}-${process.pid}-`)
}
