// Creates an extension from an entry of the public ACP registry, in the folder of a user's own extensions.
import { existsSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join, posix } from 'node:path'
import { environmentNameSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { createLog } from '../../log.js'
import { isSecretName } from '../wire/redact/secret-names.js'
import { Extensions } from './extensions.js'
import { parseFile, readJson } from './load-extension.js'
import { extensionIdSchema, type Manifest } from './manifest.js'
import {
  findOwn,
  folderOfOwn,
  InvalidManifest,
  type ManifestFile,
  writeOwnExtension,
} from './own-extension-files.js'
import { SHIPPED_EXTENSIONS } from '../../places.js'

/** A copy of the registry's launch commands, for machines without a network. */
export const REGISTRY_COPY = join(SHIPPED_EXTENSIONS, 'acp-registry.json')

const launchShape = {
  args: z.array(z.string()).exactOptional(),
  env: z.record(z.string(), z.string()).exactOptional(),
}
const packageSchema = z.object({
  package: z.string().min(1),
  /** Set when the program has another name than its package. */
  cmd: z.string().min(1).exactOptional(),
  ...launchShape,
})
const binarySchema = z.object({
  archive: z.url().exactOptional(),
  cmd: z.string().min(1),
  ...launchShape,
})

/** The fields that are used; icons, authors and licences are ignored. */
const registryEntrySchema = z.object({
  id: extensionIdSchema,
  name: z.string().min(1),
  description: z.string().exactOptional(),
  website: z.url().exactOptional(),
  repository: z.url().exactOptional(),
  /** Not in the registry's own format: the keys that the agent reads from its environment. */
  keys: z.array(environmentNameSchema).exactOptional(),
  distribution: z.object({
    npx: packageSchema.exactOptional(),
    uvx: packageSchema.exactOptional(),
    binary: z.record(z.string(), binarySchema).exactOptional(),
  }),
})
export type AcpRegistryEntry = z.infer<typeof registryEntrySchema>

/** Entries are parsed one by one, so that one invalid entry does not hide the others. */
const acpRegistrySchema = z.object({ agents: z.array(z.looseObject({ id: z.string() })) })

/** The message contains the reason and what to do. */
export class ImportError extends Error {}

/** The ids in a file, which is a registry or a single entry. */
export function listRegistry(file: string): string[] {
  return entriesIn(file).map(({ id }) => id)
}

/** Throws `ExtensionFileError` or `ImportError`. */
export function requireEntry(file: string, id: string): AcpRegistryEntry {
  const entries = entriesIn(file)
  const found = entries.find((entry) => entry.id === id)
  if (found !== undefined) return parseFile(file, registryEntrySchema, found)
  const known = entries.map((entry) => entry.id).join(', ')
  throw new ImportError(`There is no agent "${id}" in ${file}. There are ${known}.`)
}

function entriesIn(file: string): { id: string }[] {
  const json = readJson(file)
  const one = z.looseObject({ id: z.string(), distribution: z.unknown() }).safeParse(json)
  return one.success ? [one.data] : parseFile(file, acpRegistrySchema, json).agents
}

let shipped: readonly Manifest[] | undefined

/** The manifest of the same agent that comes with Quayside, perhaps under another id. */
export function findShipped(registryId: string): Manifest | undefined {
  shipped ??= new Extensions([SHIPPED_EXTENSIONS], createLog('silent')).all.map(
    ({ manifest }) => manifest,
  )
  return (
    shipped.find(({ id }) => id === registryId) ??
    shipped.find(({ registryIds }) => registryIds.includes(registryId))
  )
}

export type Imported = {
  /** The folder of its manifest. */
  readonly folder: string
  /** For an agent that must be downloaded: the source, and the path where the program must be. */
  readonly program?: { readonly from: string | undefined; readonly path: string }
  /** The names of the keys that can be set. */
  readonly keys: readonly string[]
}

export type ImportOptions = {
  readonly force?: boolean
  /** Names of keys besides those that are known. */
  readonly keys?: readonly string[]
}

/** Throws `ImportError` when the extension exists, unless `force` is set. */
export function importRegistryEntry(
  entry: AcpRegistryEntry,
  extensionsFolder: string,
  { force = false, keys: named = [] }: ImportOptions = {},
): Imported {
  const folder = folderOfOwn(extensionsFolder, entry.id)
  if (!force && (existsSync(folder) || findOwn(extensionsFolder, entry.id) !== undefined))
    throw new ImportError(
      `There is an extension "${entry.id}" in ${folder}. Replace it with --force.`,
    )
  const { manifest: launched, program } = toManifest(entry)
  const manifest = withFacts(launched, [...(entry.keys ?? []), ...named], findShipped(entry.id))
  try {
    writeOwnExtension(extensionsFolder, manifest)
  } catch (error) {
    if (!(error instanceof InvalidManifest)) throw error
    throw new ImportError(`This entry cannot be imported as it is: ${error.message}`, {
      cause: error,
    })
  }
  const keys = manifest.auth.env.map(({ name }) => name)
  if (program === undefined) return { folder, keys }
  return { folder, program: { from: program.from, path: join(folder, program.path) }, keys }
}

/** Adds the keys of the agent, and what the manifest that comes with Quayside knows about it. */
function withFacts(manifest: ManifestFile, keys: readonly string[], same: Manifest | undefined) {
  const { env = {}, args = [], ...agent } = manifest.agent
  // The registry marks variables that a person has to set by an empty value.
  const empty = Object.keys(env).filter((name) => env[name] === '')
  const known = same?.auth.env ?? []
  const added = [...keys, ...empty.filter(isSecretName)].filter(
    (name) => !known.some((key) => key.name === name),
  )
  const plain = empty.filter((name) => !isSecretName(name))
  const { repository, quirks = {}, agentNames = [], auth, unasked } = same ?? {}
  return {
    ...manifest,
    agent: {
      ...agent,
      args,
      env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
      inheritEnv: [...new Set([...(same?.agent.inheritEnv ?? []), ...plain])],
    },
    auth: {
      env: [...known, ...[...new Set(added)].map((name) => ({ name, label: name }))],
      errors: auth?.errors ?? [],
    },
    quirks,
    agentNames,
    ...(repository && { repository }),
    ...(unasked && { unasked }),
  } satisfies ManifestFile
}

function toManifest(entry: AcpRegistryEntry): {
  manifest: ManifestFile
  program?: { from: string | undefined; path: string }
} {
  const { id, name, description, distribution } = entry
  const { npx, uvx } = distribution
  const website = entry.website ?? entry.repository
  const common = {
    id,
    name,
    type: 'acp',
    ...(description && { description }),
    ...(website && { website }),
  } as const
  if (npx)
    return {
      manifest: {
        ...common,
        agent: {
          ...agentOf('npx', ['-y', ...program(npx, '--package')], npx),
          download: ['-y', '--package', npx.package, '--', 'node', '--version'],
        },
      },
    }
  if (uvx)
    return {
      manifest: {
        ...common,
        install: 'pip install uv',
        agent: {
          ...agentOf('uvx', program(uvx, '--from'), uvx),
          download: ['--from', uvx.package, 'python', '--version'],
        },
      },
    }
  const binary = requireBinary(entry)
  const path = posix.join('bin', posix.normalize(binary.cmd.replaceAll('\\', '/')))
  if (!path.startsWith('bin/'))
    throw new ImportError(`The program ${binary.cmd} of "${id}" would be outside of its folder.`)
  return {
    manifest: { ...common, agent: agentOf(`\${EXTENSION_DIR}/${path}`, [], binary) },
    program: { from: binary.archive ?? website, path },
  }
}

/** `npx --package pkg cmd` and `uvx --from pkg cmd`, or the package alone. */
function program(
  { package: name, cmd }: { package: string; cmd?: string },
  from: string,
): string[] {
  return cmd === undefined ? [name] : [from, name, cmd]
}

function agentOf(
  command: string,
  before: readonly string[],
  { args = [], env }: { args?: string[]; env?: Record<string, string> },
): ManifestFile['agent'] {
  return { command, args: [...before, ...args], ...(env && { env }) }
}

function requireBinary({ id, distribution }: AcpRegistryEntry): z.infer<typeof binarySchema> {
  const machine = `${platform()}-${MACHINES[arch()] ?? arch()}`
  const found = distribution.binary?.[machine]
  if (found !== undefined) return found
  const known = Object.keys(distribution.binary ?? {}).join(', ') || 'nothing that can be started'
  throw new ImportError(`There is no program of "${id}" for ${machine}; there is ${known}.`)
}

const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }
