// Host names that a tunnel or proxy in front of this hub serves with TLS, added while the hub runs. A file keeps the permanent ones.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { writeDurably } from '../store/data-files.js'

const FILE = 'remote-hosts.json'
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/

export class RemoteHosts {
  readonly #file: string
  readonly #kept: Set<string>
  readonly #temporary = new Set<string>()

  constructor(dataDir: string, log: Log) {
    this.#file = join(dataDir, FILE)
    this.#kept = new Set(readNames(this.#file, log))
  }

  get names(): readonly string[] {
    return [...this.#kept, ...this.#temporary]
  }

  has(name: string): boolean {
    return this.#kept.has(name) || this.#temporary.has(name)
  }

  add(hostname: string, { isKept = true }: { readonly isKept?: boolean }): void {
    const name = hostname.toLowerCase()
    // An IP address needs no name, and a name without a dot could be rebound by anyone in the network.
    if (!HOSTNAME.test(name) || /^[\d.]+$/.test(name))
      throw new HubError('bad_request', {
        message: `${hostname} is not a host name. Use one such as studio.example.com.`,
      })
    this.#temporary.delete(name)
    if (!isKept) this.#temporary.add(name)
    else if (!this.#kept.has(name)) this.#keep([...this.#kept, name])
  }

  remove(hostname: string): void {
    const name = hostname.toLowerCase()
    this.#temporary.delete(name)
    if (this.#kept.has(name)) this.#keep([...this.#kept].filter((one) => one !== name))
  }

  #keep(names: readonly string[]): void {
    writeDurably(this.#file, `${JSON.stringify(names)}\n`)
    this.#kept.clear()
    for (const name of names) this.#kept.add(name)
  }
}

function readNames(file: string, log: Log): readonly string[] {
  if (!existsSync(file)) return []
  try {
    const names = JSON.parse(readFileSync(file, 'utf8')) as unknown[]
    return names.filter((name) => typeof name === 'string' && HOSTNAME.test(name)) as string[]
  } catch (error) {
    log.warn({ err: error, file }, 'the names of tunnels cannot be read; add them again')
    return []
  }
}
