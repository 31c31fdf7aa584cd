// The disks of this hub: that of its machine, whose repositories are known by their absolute path, and volumes with a name, which
// other hubs may have too. A repository on a volume is known by its path in it, so that the hubs share its row.
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** `path` is where this machine has it, without symbolic links. */
export type Volume = { readonly name: string; readonly path: string }

export type DiskPath = { readonly volume: string; readonly path: string }

export class Disks {
  readonly #machineId: string
  readonly #volumes: readonly Volume[]

  constructor(machineId: string, volumes: readonly Volume[] = []) {
    this.#machineId = machineId
    // The innermost one first.
    this.#volumes = volumes.toSorted((a, b) => b.path.length - a.path.length)
  }

  /** That of the machine first. */
  get names(): readonly string[] {
    return [this.#machineId, ...this.shared]
  }

  /** The disks that other hubs may have too. */
  get shared(): readonly string[] {
    return this.#volumes.map(({ name }) => name)
  }

  locate(path: string): DiskPath {
    const found = this.#volumes.find((one) => path === one.path || path.startsWith(one.path + sep))
    if (found === undefined) return { volume: this.#machineId, path }
    return { volume: found.name, path: relative(found.path, path) || '.' }
  }

  resolve({ volume, path }: DiskPath): string {
    const found = this.#volumes.find(({ name }) => name === volume)
    return found === undefined ? path : join(found.path, path)
  }

  /** The folder of a volume that is not mounted is empty. */
  isMounted(volume: string): boolean {
    const found = this.#volumes.find(({ name }) => name === volume)
    try {
      return found === undefined || readdirSync(found.path).length > 0
    } catch {
      return false
    }
  }
}
