// The files of a user's own extensions, in the data directory: written and removed so that what is interrupted is not
// there, or there as it was.
import { existsSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { SettingsSchema } from '@quayside/protocol/schemas'
import type { z } from 'zod'
import { makePrivateFolder, writeDurably } from '../store/data-files.js'
import { REGISTRY_FILE, type RegistryEntry, registrySchema } from './extensions.js'
import { findWrongField, findWrongVariable } from './launch-variables.js'
import { describeIssues, parseFile, readJson } from './load-extension.js'
import { manifestSchema } from './manifest.js'

export type ManifestFile = z.input<typeof manifestSchema>

/** It cannot be loaded; the message says which field and what is allowed. */
export class InvalidManifest extends Error {}

export function folderOfOwn(extensionsFolder: string, id: string): string {
  return join(extensionsFolder, pathOf(id))
}

export function isRegistered(extensionsFolder: string, id: string): boolean {
  return readRegistry(extensionsFolder).extensions.some((entry) => entry.id === id)
}

/** Writes manifest and settings, and registers them last. Throws `InvalidManifest` before anything is written. */
export function writeOwnExtension(extensionsFolder: string, manifest: ManifestFile): RegistryEntry {
  requireSound(manifest)
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

/** Takes it out of the list first; its folder goes only when it is where we write them. */
export function removeOwnExtension(extensionsFolder: string, id: string): void {
  const registry = readRegistry(extensionsFolder)
  const extensions = registry.extensions.filter((entry) => entry.id !== id)
  writeJson(join(extensionsFolder, REGISTRY_FILE), { ...registry, extensions })
  rmSync(folderOfOwn(extensionsFolder, id), { recursive: true, force: true })
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

function requireSound(said: ManifestFile): void {
  const read = manifestSchema.safeParse(said)
  if (!read.success) throw new InvalidManifest(describeIssues(read.error))
  const wrong = findWrongVariable(read.data, SETTINGS) ?? findWrongField(read.data, SETTINGS)
  if (wrong !== undefined) throw new InvalidManifest(wrong)
}

function writeJson(file: string, value: unknown): void {
  writeDurably(file, `${JSON.stringify(value, null, 2)}\n`)
}
