// The hub-wide settings of extensions and their secrets: two files in the data directory, readable by their owner only.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExtensionSettingsAnswer, settingValueSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { HubError } from '../../errors.js'
import { EXTENSION_SETTINGS_FILE, SECRETS_FILE, writeDurably } from '../../store/data-files.js'
import type { InstalledExtension } from './extensions.js'
import { checkHubWideSettings, type Environment, namesOfSecrets } from './settings-values.js'
import type { Redactor } from '../wire/redact.js'

/** By the ids of extensions. */
const settingsFileSchema = z.record(z.string(), z.record(z.string(), settingValueSchema))
const secretsFileSchema = z.record(z.string(), z.record(z.string(), z.string()))

type ById<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>

export class ExtensionSettings {
  readonly #dataDir: string
  readonly #redactor: Redactor
  #settings: z.infer<typeof settingsFileSchema>
  #secrets: z.infer<typeof secretsFileSchema>

  /** Throws when a file is damaged: a hub that forgets its settings would be worse. */
  constructor(dataDir: string, redactor: Redactor) {
    this.#dataDir = dataDir
    this.#redactor = redactor
    this.#settings = read(join(dataDir, EXTENSION_SETTINGS_FILE), settingsFileSchema)
    this.#secrets = read(join(dataDir, SECRETS_FILE), secretsFileSchema)
    redactor.learn(Object.values(this.#secrets).flatMap((secrets) => Object.values(secrets)))
  }

  /** What resolves a launch, with the secrets themselves. */
  layersOf(extensionId: string) {
    return { hubWide: this.#settings[extensionId] ?? {}, secrets: this.#secrets[extensionId] ?? {} }
  }

  /** For people: of a secret only whether there is one, stored or in the environment. */
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

  /** What is not named stays, `null` takes a value away. On the disk when it returns. Throws `invalid_settings`. */
  change(extension: InstalledExtension, changes: Readonly<Record<string, unknown>>): void {
    checkHubWideSettings(extension, changes)
    const { id } = extension.manifest
    const names = namesOfSecrets(extension)
    const isSecret = ([name]: readonly [string, unknown]): boolean => names.includes(name)
    const entries = Object.entries(changes)
    const secrets = entries.filter(isSecret)
    const settings = entries.filter((entry) => !isSecret(entry))
    if (secrets.length > 0) {
      // Before anything else can see them.
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

  /** Of an extension that is gone. */
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
      const message = `The hub could not write ${file} in its data directory. Is the disk full?`
      throw new HubError('storage_failed', { message }, { cause })
    }
  }
}

function read<T>(file: string, schema: z.ZodType<T>): T | Record<string, never> {
  if (!existsSync(file)) return {}
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Without the cause: what it says of the file may be a secret.
    throw new Error(`${file} is damaged. Correct it, or remove it and make the settings again.`)
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
