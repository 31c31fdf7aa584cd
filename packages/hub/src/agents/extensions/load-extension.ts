// Reads the files of one extension. Problems are reported with the file, the field and the allowed values.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SettingsSchema, settingsSchemaFileSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { messageOfError } from '../../errors.js'
import { errorCode } from '../../store/data-files.js'
import { findWrongField, findWrongVariable } from './launch-variables.js'
import { type Manifest, manifestSchema } from './manifest.js'

export type InstalledExtension = {
  readonly manifest: Manifest
  readonly settingsSchema: SettingsSchema
  readonly folder: string
}

export class ExtensionFileError extends Error {
  readonly file: string
  readonly problem: string

  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`)
    this.file = file
    this.problem = problem
  }
}

/** Keyed by the type in extensions.json. */
const LOADERS: Readonly<Record<string, (folder: string) => InstalledExtension>> = { acp: loadAcp }

export const EXTENSION_TYPES = Object.keys(LOADERS)

/** Throws `ExtensionFileError`. */
export function loadExtension(folder: string, type: string): InstalledExtension | undefined {
  return LOADERS[type]?.(folder)
}

function loadAcp(folder: string): InstalledExtension {
  const manifestFile = join(folder, 'manifest.json')
  const settingsFile = join(folder, 'settings_schema.json')
  const manifest = parseFile(manifestFile, manifestSchema, readJson(manifestFile))
  const settings = readJson(settingsFile, { isOptional: true }) ?? NO_SETTINGS
  const { $schema: _, ...settingsSchema } = parseFile(
    settingsFile,
    settingsSchemaFileSchema,
    settings,
  )
  const wrongVariable = findWrongVariable(manifest, settingsSchema)
  if (wrongVariable !== undefined) throw new ExtensionFileError(manifestFile, wrongVariable)
  const wrongField = findWrongField(manifest, settingsSchema)
  if (wrongField !== undefined) throw new ExtensionFileError(settingsFile, wrongField)
  return { manifest, settingsSchema, folder }
}

const NO_SETTINGS: SettingsSchema = { version: '1', fields: [] }

/** Throws `ExtensionFileError`. Undefined for an optional file that does not exist. */
export function readJson(file: string, { isOptional = false } = {}): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isOptional && errorCode(error) === 'ENOENT') return undefined
    const why = errorCode(error) === 'ENOENT' ? 'There is no such file.' : messageOfError(error)
    throw new ExtensionFileError(file, why)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ExtensionFileError(file, `This is not JSON: ${messageOfError(error)}`)
  }
}

/** Throws `ExtensionFileError` with every invalid field. */
export function parseFile<T>(file: string, schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new ExtensionFileError(file, describeIssues(read.error))
}

export function describeIssues({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) =>
      path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
    )
    .join('; ')
}
