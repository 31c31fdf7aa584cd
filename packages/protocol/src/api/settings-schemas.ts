// The form of a settings_schema.json: the fields that people fill in for one kind of agent.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import { described, optional } from './fields.js'

/** An object whose errors name the key that is unknown and those that are known. */
export function closedObject<const Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no ${issue.keys.join(', ')} here; known are ${known}.`
        : undefined,
  })
}

export const environmentNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'The name of a variable has letters, digits and _.')

const common = {
  id: z
    .string()
    .regex(/^[a-z][A-Za-z0-9]*$/, 'The id of a field is one word such as model or approvalMode.'),
  label: z.string().min(1),
  description: optional(z.string()),
  placeholder: optional(z.string()),
  required: optional(z.boolean()),
  env: optional(
    environmentNameSchema,
    "A variable of the hub's environment that provides the default.",
  ),
}

const acp = optional(
  z.union(
    [z.enum(['mode', 'model']), closedObject({ option: z.string().min(1) })],
    'acp is "mode", "model" or { "option": "<id>" }.',
  ),
  'The part of the ACP session that it sets; without it, the field is a variable of the launch.',
)

const optionSchema = closedObject({ value: z.string().min(1), label: z.string().min(1) })

const fieldTypes = [
  closedObject({
    ...common,
    acp,
    type: z.literal('text'),
    default: optional(z.string().min(1)),
  }),
  closedObject({
    ...common,
    type: z.literal('path'),
    browse: optional(z.boolean(), 'Offer folders to choose from.'),
    default: optional(z.string().min(1)),
  }),
  closedObject({
    ...common,
    acp,
    type: z.literal('select'),
    options: z.array(optionSchema).min(1),
    default: optional(z.string()),
  }),
  closedObject({
    ...common,
    acp,
    type: z.literal('checkbox'),
    default: optional(z.boolean()),
    on: optional(z.string().min(1), 'The variable’s text when checked; by default `true`.'),
    off: optional(z.string().min(1), 'The variable’s text when not checked; by default none.'),
    service: optional(
      z.enum(['fs', 'terminal']),
      'A service of the hub that the agent may use when checked.',
    ),
  }),
  closedObject({
    ...common,
    type: z.literal('number'),
    min: optional(z.number()),
    max: optional(z.number()),
    default: optional(z.number()),
  }),
  closedObject({ ...common, type: z.literal('secret') }),
] as const

export const FIELD_TYPES = ['text', 'path', 'select', 'checkbox', 'number', 'secret'] as const

export const settingsFieldSchema = z
  .discriminatedUnion('type', fieldTypes, {
    error: (issue) =>
      issue.code === 'invalid_union' ? `type is one of ${FIELD_TYPES.join(', ')}.` : undefined,
  })
  .check(({ value: field, issues }) => {
    const problem = problemOfDefault(field)
    if (problem !== undefined)
      issues.push({ code: 'custom', message: problem, path: ['default'], input: field })
  })
export type SettingsField = Shape<typeof settingsFieldSchema>

const settingsShape = {
  version: z.string(),
  description: optional(z.string()),
  fields: z.array(settingsFieldSchema).check(({ value: fields, issues }) => {
    fields.forEach(({ id }, index) => {
      if (fields.findIndex((field) => field.id === id) === index) return
      const message = `There is another field ${id}.`
      issues.push({ code: 'custom', message, path: [index, 'id'], input: fields })
    })
  }),
}
export const settingsSchemaSchema = closedObject(settingsShape)
export type SettingsSchema = Shape<typeof settingsSchemaSchema>

/** As it stands in a file; editors find the rules by `$schema`. */
export const settingsSchemaFileSchema = closedObject({
  $schema: optional(z.string()),
  ...settingsShape,
})

const MAX_TEXT_CHARS = 4_096

export const settingValueSchema = z.union([z.string().max(MAX_TEXT_CHARS), z.number(), z.boolean()])
export type SettingValue = z.infer<typeof settingValueSchema>

export const extensionSettingsSchema = z.object({
  settings: z.record(z.string(), z.union([settingValueSchema, z.object({ isSet: z.boolean() })])),
})
export type ExtensionSettingsAnswer = Shape<typeof extensionSettingsSchema>

/** An agent of one's own, as far as a form can describe it; more is said in its manifest. */
export const putExtensionSchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  command: z.string().trim().min(1).describe('A program on the PATH, or a path.'),
  args: z.array(z.string()).max(100).default([]),
  env: z.record(environmentNameSchema, z.string()).default({}),
  secrets: described(
    z.record(environmentNameSchema, z.string()).default({}),
    'Variables that are stored as secrets and never returned.',
  ),
})
export type PutExtension = Shape<typeof putExtensionSchema>

/** `null` takes a value away; what is not named stays. */
export const changeExtensionSettingsSchema = z.strictObject({
  settings: z.record(z.string(), settingValueSchema.nullable()),
})

/** The problem of a value, in words; undefined when it fits. */
export function problemOfValue(field: SettingsField, value: unknown): string | undefined {
  if (field.type === 'checkbox')
    return typeof value === 'boolean' ? undefined : 'expected is true or false'
  if (field.type === 'number') {
    const { min = -Infinity, max = Infinity } = field
    const fits = typeof value === 'number' && value >= min && value <= max
    return fits ? undefined : `expected is a number${rangeOf(field)}`
  }
  if (field.type === 'select') {
    const values = field.options.map((option) => option.value)
    const fits = values.some((known) => known === value)
    return fits ? undefined : `allowed is one of ${values.join(', ')}`
  }
  if (typeof value !== 'string' || value === '') return 'expected is a text'
  // No argument and no variable of a process can hold these.
  if (value.includes('\0')) return 'a text cannot contain the character 0'
  return value.length > MAX_TEXT_CHARS
    ? `a text has at most ${MAX_TEXT_CHARS} characters`
    : undefined
}

function problemOfDefault(field: SettingsField): string | undefined {
  if (field.type === 'secret' || field.default === undefined) return undefined
  const problem = problemOfValue(field, field.default)
  return problem && `The default does not fit: ${problem}.`
}

function rangeOf({ min, max }: { min?: number; max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` from ${min}`
  return max === undefined ? '' : ` up to ${max}`
}
