// What an extension's settings are worth for one session: checked, put together from four places, and what is told to ACP.
// Pure: the hub-wide settings and the environment come in as arguments.
import {
  problemOfValue,
  sessionSettingsSchema,
  type SettingsField,
  type SettingsSchema,
  type SettingValue,
} from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { variableName, type Variables } from './launch-variables.js'
import type { InstalledExtension } from './load-extension.js'

export type Environment = Readonly<Record<string, string | undefined>>
export type SettingValues = Readonly<Record<string, unknown>>

/** Where values come from, besides the schema's defaults and the environment. The session's win. */
export type SettingLayers = {
  /** Of the extension, for all of its sessions. */
  readonly hubWide?: SettingValues
  readonly session?: SettingValues
  /** By the ids of secret fields and the names of sign-in keys. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** Of a session; they exist for every agent and mean something to the hub. */
const SESSION_KEYS: readonly string[] = Object.keys(sessionSettingsSchema.shape)
/** A shorter one could not be hidden wherever it appears without hiding ordinary words. */
const SECRET = /^\S.{6,}\S$/
/** Of a wrong value, in the sentence that says so. */
const MAX_SHOWN_CHARS = 80

/** Throws `invalid_settings` with every key that is wrong. `null` means: no value of its own. */
export function checkSessionSettings(extension: InstalledExtension, settings: SettingValues): void {
  const plain = fieldsOf(extension).filter(({ type }) => type !== 'secret')
  const known = [...SESSION_KEYS, ...plain.map(({ id }) => id)]
  const secrets = namesOfSecrets(extension)
  const problems = Object.entries(settings).flatMap(([key, value]) => {
    if (SESSION_KEYS.includes(key)) return []
    if (secrets.includes(key))
      return [`${key} is a secret: set it with PUT /api/extensions/${idOf(extension)}/settings.`]
    return problemsOf(plain, [key, value], known)
  })
  requireNone(problems, { extension, known })
}

/** Throws `invalid_settings` with every key that is wrong. */
export function checkHubWideSettings(extension: InstalledExtension, settings: SettingValues): void {
  const fields = fieldsOf(extension)
  const secrets = namesOfSecrets(extension)
  const known = [...new Set([...fields.map(({ id }) => id), ...secrets])]
  const problems = Object.entries(settings).flatMap(([key, value]) => {
    if (SESSION_KEYS.includes(key)) return [`${key} belongs to a session: set it there.`]
    if (!secrets.includes(key)) return problemsOf(fields, [key, value], known)
    if (value === null) return []
    return typeof value === 'string' && SECRET.test(value) && !value.includes('\0')
      ? []
      : [`${key}: a secret is one line of at least 8 characters, without spaces around it.`]
  })
  requireNone(problems, { extension, known })
}

/** Secret fields and sign-in keys: stored apart, never told. */
export function namesOfSecrets({ manifest, settingsSchema }: InstalledExtension): string[] {
  const fields = settingsSchema.fields.filter(({ type }) => type === 'secret')
  return [...fields.map(({ id }) => id), ...manifest.auth.env.map(({ name }) => name)]
}

/**
 * The values that count, secrets not among them: a session's own, else the hub-wide ones, else the environment's, else the default.
 * Throws `invalid_settings` when a variable of the environment does not fit.
 */
export function mergeSettings(
  { settingsSchema }: InstalledExtension,
  { hubWide = {}, session = {} }: SettingLayers,
  env: Environment,
): Record<string, SettingValue> {
  const entries = settingsSchema.fields.flatMap((field) => {
    if (field.type === 'secret') return []
    const own = [session[field.id], hubWide[field.id]].find((value) => fits(field, value))
    const value = own ?? valueOfEnvironment(field, env) ?? field.default
    return value === undefined ? [] : [[field.id, value] as const]
  })
  return Object.fromEntries(entries)
}

/** The schema as a form for a new session: each default is what counts when the session says nothing. */
export function withDefaults(
  extension: InstalledExtension,
  hubWide: SettingValues,
  env: Environment,
): SettingsSchema {
  const values = mergeSettings(extension, { hubWide }, env)
  const { settingsSchema } = extension
  const fields = settingsSchema.fields.map((field) =>
    field.id in values ? { ...field, default: values[field.id] } : field,
  )
  return { ...settingsSchema, fields: fields as SettingsField[] }
}

/** The variables of the fields; throws `invalid_settings` when one that is required has no value. */
export function variablesOf(
  extension: InstalledExtension,
  layers: SettingLayers,
  env: Environment,
): Variables {
  const values = mergeSettings(extension, layers, env)
  const problems: string[] = []
  const entries = fieldsOf(extension).map((field) => {
    const value =
      field.type === 'secret'
        ? (layers.secrets?.[field.id] ?? (field.env && env[field.env]))
        : values[field.id]
    if (field.required && (value === undefined || value === ''))
      problems.push(`${field.id} (${field.label}) is missing.`)
    return [variableName(field.id), textOf(field, value)] as const
  })
  requireNone(problems, { extension })
  return Object.fromEntries(entries)
}

/**
 * What to set on the ACP session after it was opened, in the order of the fields, by `SessionAgent.setOption`: the fields that say `acp`.
 * `acp: "mode"` and `"model"` are the options of these names, whichever way the agent has them; `{ "option": id }` is a config option.
 * A value that the agent does not offer is refused by `setOption` with `invalid_settings`.
 */
export function acpChoices(
  extension: InstalledExtension,
  layers: SettingLayers,
  env: Environment,
): { readonly optionId: string; readonly value: string | boolean }[] {
  const values = mergeSettings(extension, layers, env)
  return extension.settingsSchema.fields.flatMap((field) => {
    const acp = 'acp' in field ? field.acp : undefined
    const value = values[field.id]
    if (acp === undefined || value === undefined || typeof value === 'number') return []
    return [{ optionId: typeof acp === 'string' ? acp : acp.option, value }]
  })
}

/** Without `cwd`, which is the session's. */
function fieldsOf({ settingsSchema }: InstalledExtension): SettingsField[] {
  return settingsSchema.fields.filter(({ id }) => !SESSION_KEYS.includes(id))
}

function problemsOf(
  fields: readonly SettingsField[],
  [key, value]: readonly [string, unknown],
  known: readonly string[],
): string[] {
  const field = fields.find(({ id }) => id === key)
  if (field === undefined) return [`There is no setting ${key}; known are ${known.join(', ')}.`]
  const problem = value === null ? undefined : problemOfValue(field, value)
  return problem === undefined ? [] : [`${key} is ${shorten(value)}; ${problem}.`]
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
}

function requireNone(
  problems: readonly string[],
  { extension, known }: { extension: InstalledExtension; known?: readonly string[] },
): void {
  if (problems.length === 0) return
  throw new HubError('invalid_settings', {
    message: `Settings of ${extension.manifest.name}: ${problems.join(' ')}`,
    extensionId: idOf(extension),
    problems,
    ...(known ? { known } : {}),
  })
}

function valueOfEnvironment(field: SettingsField, env: Environment): SettingValue | undefined {
  const text = field.env === undefined ? undefined : env[field.env]
  if (text === undefined || text === '') return undefined
  const value = readText(field, text)
  const problem = problemOfValue(field, value)
  if (problem === undefined) return value
  throw new HubError('invalid_settings', {
    message: `The environment variable ${field.env} is "${text}"; ${problem}.`,
    env: field.env,
  })
}

function readText(field: SettingsField, text: string): SettingValue {
  if (field.type === 'number') return Number(text)
  if (field.type !== 'checkbox') return text
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : text
}

function textOf(field: SettingsField, value: SettingValue | undefined): string | undefined {
  if (field.type !== 'checkbox') return value === undefined ? undefined : String(value)
  return value === true ? (field.on ?? 'true') : field.off
}

/** They were checked when they were saved, but the extension may be another one since. */
function fits(field: SettingsField, value: unknown): value is SettingValue {
  return problemOfValue(field, value) === undefined
}

function idOf({ manifest }: InstalledExtension): string {
  return manifest.id
}
