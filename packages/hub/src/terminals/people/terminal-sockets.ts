// The sockets of terminal hosts: one each, in a folder that only its owner can enter.
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HubError } from '../../errors.js'

/** The size of `sockaddr_un` on macOS, the smallest of all platforms, with the closing NUL. */
const MAX_PATH_BYTES = 103
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export class TerminalSockets {
  readonly #folder: string

  constructor(dataDir: string) {
    const folder = join(dataDir, 'terminals')
    const longest = Buffer.byteLength(join(folder, fileName('0'.repeat(32))))
    // The path of the data directory may be too long. Then use a hash of it in a folder with a short path.
    this.#folder = longest <= MAX_PATH_BYTES ? folder : shortFolder(dataDir)
  }

  pathOf(terminalId: string): string {
    return join(this.#folder, fileName(terminalId))
  }

  /** Creates the folder. Rejects one that another user could have created. */
  requireFolder(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const entry = lstatSync(this.#folder)
    if (!entry.isDirectory() || entry.uid !== process.getuid?.())
      throw new HubError('terminal_failed', {
        message: `${this.#folder} is not a private folder of yours, so terminals cannot use it. Remove it and try again.`,
      })
    if ((entry.mode & 0o777) !== 0o700) chmodSync(this.#folder, 0o700)
  }

  /** The ids of all sockets, also of dead ones. */
  list(): string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => terminalIdOf(name) ?? [])
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  }

  remove(terminalId: string): void {
    rmSync(this.pathOf(terminalId), { force: true })
  }
}

function shortFolder(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return `/tmp/quayside-${name}`
}

/** The id, shortened to 22 characters. */
function fileName(terminalId: string): string {
  return Buffer.from(terminalId.replaceAll('-', ''), 'hex').toString('base64url')
}

function terminalIdOf(name: string): string | undefined {
  const hex = Buffer.from(name, 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return ID.test(id) && fileName(id) === name ? id : undefined
}
