// The registry of extensions: how each kind of agent is launched. Data from extensions.json and manifest.json files.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { type Manifest, manifestSchema } from './manifest.js'

const registrySchema = z.object({
  extensions: z.array(
    z.object({
      id: z.string().regex(/^[a-z][a-z0-9-]*$/),
      name: z.string(),
      type: z.string(),
      path: z.string(),
      enabled: z.boolean(),
    }),
  ),
})

export type InstalledExtension = { readonly manifest: Manifest; readonly folder: string }

export class Extensions {
  readonly #byId = new Map<string, InstalledExtension>()

  /** Later folders add to earlier ones and replace the same id. A broken extension is logged and left out. */
  constructor(folders: readonly string[], log: Log) {
    for (const folder of folders) this.#loadFolder(folder, log)
  }

  get all(): readonly InstalledExtension[] {
    return [...this.#byId.values()]
  }

  /** The extension with this id, or the first one when none is named. */
  require(id: string | undefined): InstalledExtension {
    const extension = id === undefined ? [...this.#byId.values()][0] : this.#byId.get(id)
    if (extension === undefined)
      throw new HubError('extension_not_found', { extensionId: id, known: [...this.#byId.keys()] })
    return extension
  }

  #loadFolder(folder: string, log: Log): void {
    const file = join(folder, 'extensions.json')
    if (!existsSync(file)) return
    const registry = readJson(file, registrySchema, log)
    for (const entry of registry?.extensions ?? []) {
      if (!entry.enabled) continue
      const path = resolve(folder, entry.path)
      const manifest = readJson(join(path, 'manifest.json'), manifestSchema, log)
      if (manifest) this.#byId.set(entry.id, { manifest, folder: path })
    }
  }
}

function readJson<T>(file: string, schema: z.ZodType<T>, log: Log): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    log.error({ file, problem }, 'an extension file is broken and was left out')
    return undefined
  }
}
