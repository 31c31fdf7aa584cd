// Adds, changes and removes a user's own extensions while the hub runs.
import type { PutExtension } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import { storageFailed } from '../store/storage-error.js'
import type { AgentRuntime } from './agent-runtime.js'
import { ExtensionFileError } from './extensions/load-extension.js'
import { extensionIdSchema } from './extensions/manifest.js'
import {
  findOwn,
  InvalidManifest,
  removeOwnExtension,
  writeOwnExtension,
} from './extensions/own-extension-files.js'
import type { ManifestFile } from './extensions/own-extension-files.js'
import { SHIPPED_EXTENSIONS } from '../places.js'

export class OwnExtensions {
  readonly #runtime: AgentRuntime
  readonly #folder: string

  /** `folder` is the folder of extensions in the data directory. */
  constructor(runtime: AgentRuntime, folder: string) {
    this.#runtime = runtime
    this.#folder = folder
  }

  isOwn(id: string): boolean {
    return this.#runtime.extensions.folderOf(id) === this.#folder
  }

  /** Throws `extension_not_own` and `invalid_extension`. */
  put(id: string, input: PutExtension): void {
    const { extensions, settings, pool } = this.#runtime
    if (extensions.folderOf(id) !== undefined) this.#requireOwn(id)
    const manifest = manifestOf(id, input)
    const entry = attempt(() => writeOwnExtension(this.#folder, manifest))
    extensions.add(entry, this.#folder)
    pool.forget(id)
    settings.change(extensions.require(id), input.secrets)
  }

  /** Reads its files again, or for the first time. Throws `extension_not_found`, `extension_not_own` and `invalid_extension`. */
  reload(id: string): void {
    const { extensions, pool } = this.#runtime
    const entry = attempt(() => findOwn(this.#folder, id))
    if (entry === undefined) throw new HubError('extension_not_found', { extensionId: id })
    const from = extensions.folderOf(id)
    // It may replace a shipped agent.
    if (from !== undefined && from !== SHIPPED_EXTENSIONS) this.#requireOwn(id)
    extensions.add(entry, this.#folder)
    pool.forget(id)
  }

  /** Throws `extension_not_found` and `extension_not_own`. */
  remove(id: string): void {
    const { extensions, settings, pool } = this.#runtime
    if (extensions.folderOf(id) === undefined) throw new HubError('extension_not_found', { id })
    this.#requireOwn(id)
    attempt(() => removeOwnExtension(this.#folder, id))
    // A shipped agent that it replaced is back.
    const shipped = findOwn(SHIPPED_EXTENSIONS, id)
    if (shipped) extensions.add(shipped, SHIPPED_EXTENSIONS)
    else extensions.remove(id)
    pool.forget(id)
    settings.forget(id)
  }

  #requireOwn(id: string): void {
    if (!this.isOwn(id)) throw new HubError('extension_not_own', { extensionId: id })
  }
}

function manifestOf(id: string, { name, command, args, env, secrets }: PutExtension): ManifestFile {
  const read = extensionIdSchema.safeParse(id)
  if (!read.success) throw invalid(`id: ${read.error.issues[0]?.message}`)
  const keys = Object.keys(secrets).map((key) => ({ name: key, label: key }))
  return { id, name, type: 'acp', agent: { command, args: [...args], env }, auth: { env: keys } }
}

/** Reports a problem in a file by its field, without paths of this machine. */
function attempt<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (error instanceof InvalidManifest) throw invalid(error.message, error)
    if (error instanceof ExtensionFileError) throw invalid(error.problem, error)
    throw storageFailed(error)
  }
}

function invalid(message: string, cause?: Error): HubError {
  return new HubError('invalid_extension', { message }, { cause })
}
