// Writes and removes the files of a user's own extensions in the data directory. An interrupted change leaves the old
// state or none.
import { existsSync, rmSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import type { SettingsSchema } from '@quayside/protocol/schemas'
import type { z } from 'zod'
import { makePrivateFolder, writeDurably } from '../../store/data-files.js'
import { REGISTRY_FILE, type RegistryEntry, registrySchema } from './extensions.js'
import { findWrongField, findWrongVariable } from './launch-variables.js'
import { describeIssues, parseFile, readJson } from './load-extension.js'
import { manifestSchema } from './manifest.js'

export type ManifestFile = z.input<typeof manifestSchema>

/** The message names the field and the allowed values. */
export class InvalidManifest extends Error {}

export function folderOfOwn(extensionsFolder: string, id: string): string {
  return join(extensionsFolder, pathOf(id))
}

export function findOwn(extensionsFolder: string, id: string): RegistryEntry | undefined {
  return listOwn(extensionsFolder).find((entry) => entry.id === id)
}

export function listOwn(extensionsFolder: string): readonly RegistryEntry[] {
  return readRegistry(extensionsFolder).extensions
}

/** Writes manifest and settings, and registers them last. Throws `InvalidManifest` before anything is written. */
export function writeOwnExtension(extensionsFolder: string, manifest: ManifestFile): RegistryEntry {
  requireValid(manifest)
  const { id, name } = manifest
  const registry = readRegistry(extensionsFolder)
  const folder = folderOfOwn(extensionsFolder, id)
  makePrivateFolder(folder)
  writeJson(join(folder, 'manifest.json'), manifest)
  writeJson(join(folder, 'settings_schema.json'), SETTINGS)
  const entry = { id, name, type: 'acp', path: pathOf(id), enabled: true }
  const others = registry.extensions.filter((known) => known.id !== id)
  writeJson(join(extensionsFolder, REGISTRY_FILE), { ...registry, extensions: [...others, entry] })
  return entry
}

/** Unregisters it first, so that an interruption leaves only an unused folder. */
export function removeOwnExtension(extensionsFolder: string, id: string): void {
  const registry = readRegistry(extensionsFolder)
  const removed = registry.extensions.find((entry) => entry.id === id)
  if (removed === undefined) return
  const extensions = registry.extensions.filter((entry) => entry !== removed)
  writeJson(join(extensionsFolder, REGISTRY_FILE), { ...registry, extensions })
  const folder = join(extensionsFolder, removed.path)
  // An entry may name a folder elsewhere, or the folder of all extensions. Never remove those.
  if (/^(?!\.\.)[^/]/.test(relative(extensionsFolder, folder)))
    rmSync(folder, { recursive: true, force: true })
}

const SETTINGS: SettingsSchema = {
  version: '1',
  fields: [
    {
      id: 'cwd',
      type: 'path',
      label: 'Working directory',
      default: '.',
      required: true,
      browse: true,
    },
  ],
}

function pathOf(id: string): string {
  return posix.join('acp', id)
}

function readRegistry(extensionsFolder: string): z.infer<typeof registrySchema> {
  const file = join(extensionsFolder, REGISTRY_FILE)
  return existsSync(file) ? parseFile(file, registrySchema, readJson(file)) : { extensions: [] }
}

function requireValid(manifest: ManifestFile): void {
  const read = manifestSchema.safeParse(manifest)
  if (!read.success) throw new InvalidManifest(describeIssues(read.error))
  const wrong = findWrongVariable(read.data, SETTINGS) ?? findWrongField(read.data, SETTINGS)
  if (wrong !== undefined) throw new InvalidManifest(wrong)
}

function writeJson(file: string, value: unknown): void {
  writeDurably(file, `${JSON.stringify(value, null, 2)}\n`)
}
