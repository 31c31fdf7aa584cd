// The registry of extensions, read from extensions.json files and the folders they name.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Extension } from '@quayside/protocol'
import { closedObject } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import { isInside } from '../../repos/repos.js'
import type { AgentConfigPaths } from '../../repos/trust.js'
import { EXTENSIONS_FOLDER } from '../../store/data-files.js'
import {
  describeIssues,
  EXTENSION_TYPES,
  ExtensionFileError,
  type InstalledExtension,
  loadExtension,
  parseFile,
  readJson,
} from './load-extension.js'
import { extensionIdSchema } from './manifest.js'
import { repositoryOf, uniteConfigPaths } from './repository-config.js'
import { SHIPPED_EXTENSIONS } from '../../places.js'

export type { InstalledExtension } from './load-extension.js'

export const REGISTRY_FILE = 'extensions.json'

const entrySchema = closedObject({
  id: extensionIdSchema,
  name: z.string().min(1),
  type: z.string().min(1),
  /** A folder, relative to extensions.json and inside of its folder. */
  path: z.string().min(1),
  enabled: z.boolean(),
})
export const registrySchema = closedObject({
  $schema: z.string().exactOptional(),
  version: z.string().exactOptional(),
  extensions: z.array(entrySchema),
})
export type RegistryEntry = z.infer<typeof entrySchema>

/** Entries are parsed one by one, so that one invalid entry does not hide the others. */
const outerSchema = registrySchema.extend({ extensions: z.array(z.unknown()) })

type Registered = { readonly entry: RegistryEntry; readonly from: string } & (
  | { readonly state: 'enabled'; readonly extension: InstalledExtension }
  | { readonly state: 'disabled'; readonly file: string }
  | { readonly state: 'broken'; readonly file: string; readonly problem: string }
)

/** Shipped extensions, those in the data directory, and one more folder. Later ones replace earlier ones by id. */
export function extensionFolders(config: {
  readonly dataDir: string
  readonly extensionFolders: readonly string[]
}): string[] {
  return [SHIPPED_EXTENSIONS, userExtensionsFolder(config.dataDir), ...config.extensionFolders]
}

export function userExtensionsFolder(dataDir: string): string {
  return join(dataDir, EXTENSIONS_FOLDER)
}

export class Extensions {
  readonly #byId = new Map<string, Registered>()
  /** Keyed by the extension's folder. Disabled and replaced ones count too: their agents may run outside of the hub. */
  readonly #repositories = new Map<string, AgentConfigPaths>()
  /** Problems in extensions.json files that belong to no single extension. */
  readonly problems: readonly { readonly file: string; readonly problem: string }[]

  /** Never throws: a broken extension is logged, listed as broken, and cannot be started. */
  constructor(folders: readonly string[], log: Log) {
    const problems = folders.flatMap((folder) => this.#loadFolder(folder))
    for (const { file, problem } of problems)
      log.error({ file, problem }, 'an extension file is broken')
    for (const registered of this.#byId.values())
      if (registered.state === 'broken')
        log.error(
          { file: registered.file, problem: registered.problem },
          'an extension is broken and cannot be started',
        )
    this.problems = problems
  }

  /** All extensions, in the order of their first appearance. */
  list(): Extension[] {
    return [...this.#byId.values()].map(describe)
  }

  /** The extensions that can be started. */
  get all(): readonly InstalledExtension[] {
    return [...this.#byId.values()].flatMap((registered) =>
      registered.state === 'enabled' ? [registered.extension] : [],
    )
  }

  /** The names of all variables that extensions read from the hub's environment. */
  get variables(): ReadonlySet<string> {
    const names = this.all.flatMap(({ manifest: { agent, auth }, settingsSchema }) => [
      ...agent.inheritEnv,
      ...agent.mergeEnv,
      ...(agent.pathEnv ? [agent.pathEnv] : []),
      ...auth.env.map(({ name }) => name),
      ...settingsSchema.fields.flatMap(({ env }) => env ?? []),
    ])
    return new Set(names)
  }

  /** The paths in a repository from which any known agent reads settings. */
  get configPaths(): AgentConfigPaths {
    return uniteConfigPaths([...this.#repositories.values()])
  }

  /** `undefined` is the default agent of a hub without extensions. */
  require(id: string | undefined): InstalledExtension {
    const registered = id === undefined ? undefined : this.#byId.get(id)
    if (registered === undefined)
      throw new HubError('extension_not_found', { extensionId: id, known: [...this.#byId.keys()] })
    if (registered.state === 'enabled') return registered.extension
    const { entry } = registered
    const message =
      registered.state === 'broken'
        ? `${entry.name} cannot be started: ${describeProblem(registered)}`
        : `${entry.name} is disabled. Set "enabled": true for "${entry.id}" in ${registered.file} and start the hub again.`
    throw new HubError('extension_unavailable', { message, extensionId: entry.id })
  }

  /** The folder of the extensions.json that registers it. */
  folderOf(id: string): string | undefined {
    return this.#byId.get(id)?.from
  }

  /** Registers an extension, or loads it again. */
  add(entry: RegistryEntry, folder: string): void {
    const registered = register(entry, folder)
    this.#byId.set(entry.id, registered)
    this.#repositories.set(folderOfEntry(registered), readRepository(registered))
  }

  remove(id: string): void {
    const registered = this.#byId.get(id)
    if (registered === undefined) return
    this.#byId.delete(id)
    this.#repositories.delete(folderOfEntry(registered))
  }

  #loadFolder(folder: string): { file: string; problem: string }[] {
    const file = join(folder, REGISTRY_FILE)
    if (!existsSync(file)) return []
    const here = new Set<string>()
    try {
      const { extensions } = parseFile(file, outerSchema, readJson(file))
      return extensions.flatMap((value, index) => {
        const read = entrySchema.safeParse(value)
        const problem = read.success
          ? this.#addOnce(here, read.data, folder)
          : describeIssues(read.error)
        return problem === undefined ? [] : [{ file, problem: `extensions[${index}]: ${problem}` }]
      })
    } catch (error) {
      if (!(error instanceof ExtensionFileError)) throw error
      return [{ file: error.file, problem: error.problem }]
    }
  }

  #addOnce(here: Set<string>, entry: RegistryEntry, folder: string): string | undefined {
    if (here.has(entry.id)) return `There is another extension "${entry.id}" in this file.`
    here.add(entry.id)
    this.add(entry, folder)
    return undefined
  }
}

function register(entry: RegistryEntry, folder: string): Registered {
  const file = join(folder, REGISTRY_FILE)
  const known = { entry, from: folder }
  if (!entry.enabled) return { ...known, state: 'disabled', file }
  try {
    return { ...known, state: 'enabled', extension: load(entry, folder) }
  } catch (error) {
    if (!(error instanceof ExtensionFileError)) throw error
    return { ...known, state: 'broken', file: error.file, problem: error.problem }
  }
}

function folderOfEntry({ entry, from }: Registered): string {
  return resolve(from, entry.path)
}

function readRepository(registered: Registered): AgentConfigPaths {
  const { entry, from } = registered
  if (registered.state === 'enabled') return repositoryOf(entry.id, registered.extension.manifest)
  try {
    return repositoryOf(entry.id, load(entry, from).manifest)
  } catch (error) {
    if (!(error instanceof ExtensionFileError)) throw error
    return repositoryOf(entry.id, undefined)
  }
}

function load({ id, type, path }: RegistryEntry, folder: string): InstalledExtension {
  const file = join(folder, REGISTRY_FILE)
  const extensionFolder = resolve(folder, path)
  if (extensionFolder === resolve(folder) || !isInside(extensionFolder, resolve(folder)))
    throw new ExtensionFileError(file, `path: "${path}" must be a folder beside this file.`)
  const extension = loadExtension(extensionFolder, type)
  if (extension === undefined)
    throw new ExtensionFileError(
      file,
      `type: there is no type "${type}"; known are ${EXTENSION_TYPES.join(', ')}.`,
    )
  if (extension.manifest.id !== id)
    throw new ExtensionFileError(
      join(extensionFolder, 'manifest.json'),
      `id: this is "${extension.manifest.id}", but "${id}" in ${file}.`,
    )
  return extension
}

function describe(registered: Registered): Extension {
  const { entry, state } = registered
  const { id, name, type } = entry
  const common = { id, name, type, enabled: state === 'enabled', state }
  if (registered.state === 'broken') return { ...common, problem: describeProblem(registered) }
  if (registered.state === 'disabled') return common
  const { description, name: ownName } = registered.extension.manifest
  return { ...common, name: ownName, ...(description ? { description } : {}) }
}

function describeProblem({ file, problem }: { file: string; problem: string }): string {
  return `${file}: ${problem}`
}
