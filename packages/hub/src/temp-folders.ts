// Folders in the system's temporary folder. They carry the pid of their process, so that the next hub removes those that a killed one left behind.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^quayside-[a-z]+-(\d+)-/

/** Folders that are in use. They are removed at the latest when this process exits. */
const open = new Set<string>()

process.once('exit', () => {
  for (const path of open) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
})

/** A folder for as long as it is needed and no longer than the process lives. */
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

export async function removeTempFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  open.delete(path)
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
