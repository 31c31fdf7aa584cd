// Resolves an extension's settings for one session: validates them, merges four sources, and derives ACP options.
// Pure: hub-wide settings and the environment are arguments.
import {
  problemOfValue,
  sessionSettingsSchema,
  type SettingsField,
  type SettingsSchema,
  type SettingValue,
} from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import type { JsonObject } from '../../json.js'
import { variableName, type Variables } from './launch-variables.js'
import type { InstalledExtension } from './load-extension.js'
import { problemsOfServers } from '../mcp/mcp-servers.js'

export type Service = 'fs' | 'terminal'
export type Environment = Readonly<Record<string, string | undefined>>
export type SettingValues = Readonly<Record<string, unknown>>

/** The sources of values besides the schema's defaults and the environment. The session's values win. */
export type SettingLayers = {
  /** Hub-wide values, for all sessions of the extension. */
  readonly hubWide?: SettingValues
  readonly session?: SettingValues
  /** Keyed by the ids of secret fields and the names of sign-in keys. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** Settings of a session that exist for every agent and are used by the hub itself. */
const SESSION_KEYS: readonly string[] = Object.keys(sessionSettingsSchema.shape)
/** Redacting a shorter secret would also redact ordinary words. */
const SECRET = /^\S.{6,}\S$/
/** Limit of an invalid value that is quoted in an error message. */
const MAX_SHOWN_CHARS = 80

/** Throws `invalid_settings` with every invalid key. `null` removes the session's value. */
export function checkSessionSettings(extension: InstalledExtension, settings: SettingValues): void {
  const plain = fieldsOf(extension).filter(({ type }) => type !== 'secret')
  const known = [...SESSION_KEYS, ...plain.map(({ id }) => id)]
  const secrets = namesOfSecrets(extension)
  const problems = Object.entries(settings).flatMap(([key, value]) => {
    if (key === 'mcpServers') return problemsOfServers(value as readonly JsonObject[])
    if (SESSION_KEYS.includes(key)) return []
    if (secrets.includes(key))
      return [`${key} is a secret: set it with PUT /api/extensions/${idOf(extension)}/settings.`]
    return problemsOf(plain, [key, value], known)
  })
  requireNone(problems, { extension, known })
}

/** Throws `invalid_settings` with every invalid key. */
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

/** Secret fields and sign-in keys: stored separately, never returned to clients. */
export function namesOfSecrets({ manifest, settingsSchema }: InstalledExtension): string[] {
  const fields = settingsSchema.fields.filter(({ type }) => type === 'secret')
  return [...fields.map(({ id }) => id), ...manifest.auth.env.map(({ name }) => name)]
}

/**
 * The effective values, without secrets: the session's, else the hub-wide ones, else the environment's, else the default.
 * Throws `invalid_settings` when a variable of the environment has an invalid value.
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

/** The schema as a form for a new session, with the effective value as the default of each field. */
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

/** The launch variables of the fields. Throws `invalid_settings` when a required one has no value. */
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
 * The options to set on the ACP session once it is open, by `SessionAgent.setOption`: the fields with `acp`, in order.
 * `acp: "mode"` and `"model"` work however the agent offers them; `{ "option": id }` is a config option.
 * `setOption` rejects a value that the agent does not offer with `invalid_settings`.
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

/** The services of the hub that the manifest and the checked fields give to the agent. */
export function servicesOf(
  extension: InstalledExtension,
  layers: SettingLayers,
  env: Environment,
): Service[] {
  const values = mergeSettings(extension, layers, env)
  const chosen = extension.settingsSchema.fields.flatMap((field) => {
    const service = field.type === 'checkbox' ? field.service : undefined
    return service !== undefined && values[field.id] === true ? [service] : []
  })
  return [...new Set([...extension.manifest.agent.services, ...chosen])]
}

/** Without `cwd`, which belongs to the session. */
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
    message: `${field.env} is "${text}"; ${problem}.`,
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

/** They were valid when they were saved, but the extension may have changed since. */
function fits(field: SettingsField, value: unknown): value is SettingValue {
  return problemOfValue(field, value) === undefined
}

function idOf({ manifest }: InstalledExtension): string {
  return manifest.id
}
