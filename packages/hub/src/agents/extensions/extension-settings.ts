// The hub-wide settings of extensions and their secrets: two files in the data directory, readable by their owner only.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExtensionSettingsAnswer, settingValueSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { EXTENSION_SETTINGS_FILE, SECRETS_FILE, writeDurably } from '../../store/data-files.js'
import { storageFailed } from '../../store/storage-error.js'
import type { InstalledExtension } from './extensions.js'
import { checkHubWideSettings, type Environment, namesOfSecrets } from './settings-values.js'
import type { Redactor } from '../wire/redact/redact.js'

/** Keyed by extension id. */
const settingsFileSchema = z.record(z.string(), z.record(z.string(), settingValueSchema))
const secretsFileSchema = z.record(z.string(), z.record(z.string(), z.string()))

type ById<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>

export class ExtensionSettings {
  readonly #dataDir: string
  readonly #redactor: Redactor
  #settings: z.infer<typeof settingsFileSchema>
  #secrets: z.infer<typeof secretsFileSchema>

  /** Throws when a file is damaged, rather than losing settings. */
  constructor(dataDir: string, redactor: Redactor) {
    this.#dataDir = dataDir
    this.#redactor = redactor
    this.#settings = read(join(dataDir, EXTENSION_SETTINGS_FILE), settingsFileSchema)
    this.#secrets = read(join(dataDir, SECRETS_FILE), secretsFileSchema)
    redactor.learn(Object.values(this.#secrets).flatMap((secrets) => Object.values(secrets)))
  }

  /** The stored values for resolving a launch, including secrets. */
  layersOf(extensionId: string) {
    return { hubWide: this.#settings[extensionId] ?? {}, secrets: this.#secrets[extensionId] ?? {} }
  }

  /** For clients: of a secret only whether it is set, in the store or in the environment. */
  show(extension: InstalledExtension, env: Environment): ExtensionSettingsAnswer {
    const { hubWide, secrets } = this.layersOf(extension.manifest.id)
    const { fields } = extension.settingsSchema
    const settings = Object.entries(hubWide).filter(([name]) =>
      fields.some(({ id }) => id === name),
    )
    const variableOf = (name: string): string => fields.find(({ id }) => id === name)?.env ?? name
    const shown = namesOfSecrets(extension).map((name) => {
      const isSet = secrets[name] !== undefined || Boolean(env[variableOf(name)])
      return [name, { isSet }] as const
    })
    return { settings: Object.fromEntries([...settings, ...shown]) }
  }

  /** Keys that are absent stay, `null` removes a value. Durable when it returns. Throws `invalid_settings`. */
  change(extension: InstalledExtension, changes: Readonly<Record<string, unknown>>): void {
    checkHubWideSettings(extension, changes)
    const { id } = extension.manifest
    const names = namesOfSecrets(extension)
    const isSecret = ([name]: readonly [string, unknown]): boolean => names.includes(name)
    const entries = Object.entries(changes)
    const secrets = entries.filter(isSecret)
    const settings = entries.filter((entry) => !isSecret(entry))
    if (secrets.length > 0) {
      // First, so that no log line can contain them.
      this.#redactor.learn(
        secrets.flatMap(([, value]) => (typeof value === 'string' ? [value] : [])),
      )
      const changed = withChanges(this.#secrets, id, secrets)
      this.#write(SECRETS_FILE, changed)
      this.#secrets = secretsFileSchema.parse(changed)
    }
    if (settings.length > 0) {
      const changed = withChanges(this.#settings, id, settings)
      this.#write(EXTENSION_SETTINGS_FILE, changed)
      this.#settings = settingsFileSchema.parse(changed)
    }
  }

  /** Removes the settings of an extension that was removed. */
  forget(extensionId: string): void {
    const { [extensionId]: secrets, ...otherSecrets } = this.#secrets
    const { [extensionId]: settings, ...otherSettings } = this.#settings
    if (secrets) this.#write(SECRETS_FILE, otherSecrets)
    if (settings) this.#write(EXTENSION_SETTINGS_FILE, otherSettings)
    this.#secrets = otherSecrets
    this.#settings = otherSettings
  }

  #write(file: string, value: unknown): void {
    try {
      writeDurably(join(this.#dataDir, file), `${JSON.stringify(value, null, 2)}\n`)
    } catch (cause) {
      throw storageFailed(cause, { file })
    }
  }
}

function read<T>(file: string, schema: z.ZodType<T>): T | Record<string, never> {
  if (!existsSync(file)) return {}
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // No cause: its message may quote a secret from the file.
    throw new Error(`${file} is damaged. Correct it, or remove it and enter the settings again.`)
  }
}

function withChanges(
  all: ById<unknown>,
  id: string,
  changes: readonly (readonly [string, unknown])[],
): ById<unknown> {
  const now = { ...all[id], ...Object.fromEntries(changes) }
  const kept = Object.entries(now).filter(([, value]) => value !== null)
  return { ...all, [id]: Object.fromEntries(kept) }
}
