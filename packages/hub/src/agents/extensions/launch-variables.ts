// The variables of a launch, such as ${CWD} and ${MODEL}: their names, where they are allowed, and substitution.
import type { SettingsField, SettingsSchema } from '@quayside/protocol/schemas'
import type { Argument, Manifest } from './manifest.js'

const FOLDER_VARIABLES: readonly string[] = ['CWD', 'DATA_DIR', 'NODE', 'EXTENSION_DIR', 'HOME']

export type Variables = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)\}/g

/** `approvalMode` → `APPROVAL_MODE`. */
export function variableName(fieldId: string): string {
  return fieldId.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** Undefined when a variable in the text has no value. */
export function fillText(text: string, variables: Variables): string | undefined {
  const isWhole = variablesIn(text).every((name) => variables[name])
  return isWhole ? text.replaceAll(VARIABLE, (_, name: string) => variables[name] ?? '') : undefined
}

/** Leaves out an entry when a variable in it has no value. */
export function fillEntries(
  entries: Readonly<Record<string, string>>,
  variables: Variables,
): Record<string, string> {
  const filled = Object.entries(entries).flatMap(([name, text]) => {
    const value = fillText(text, variables)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(filled)
}

/** Leaves out an argument or a whole group when a variable in it has no value. */
export function fillArguments(args: readonly Argument[], variables: Variables): string[] {
  return args.flatMap((argument) => {
    const filled = [argument].flat().map((text) => fillText(text, variables))
    return filled.every((text) => text !== undefined) ? filled : []
  })
}

/** Describes the first variable of a manifest that is unknown, or a secret that other users could read. */
export function findWrongVariable(
  { agent, auth }: Manifest,
  { fields }: SettingsSchema,
): string | undefined {
  const namesOf = (some: readonly SettingsField[]): string[] =>
    some.map(({ id }) => variableName(id))
  const secrets = namesOf(fields.filter(({ type }) => type === 'secret'))
  const plain = namesOf(fields.filter(({ type }) => type !== 'secret'))
  // The field `cwd` and the variable CWD are the same.
  const open = [...new Set([...FOLDER_VARIABLES, ...plain])]
  const inEnvironment = [...open, ...secrets]
  const check = (path: string, text: string, known: readonly string[]): string[] =>
    variablesIn(text)
      .filter((name) => !known.includes(name))
      .map((name) =>
        secrets.includes(name)
          ? `${path}: \${${name}} is a secret and is allowed in agent.env only.`
          : `${path}: there is no variable \${${name}}; known are ${known.join(', ')}.`,
      )
  const checkArguments = (path: string, args: readonly Argument[]): string[] =>
    args.flatMap((argument, index) =>
      [argument].flat().flatMap((text) => check(`${path}[${index}]`, text, open)),
    )
  return [
    ...check('agent.command', agent.command, open),
    ...check('agent.cwd', agent.cwd, open),
    ...checkArguments('agent.args', agent.args),
    ...checkArguments('agent.argsProbe.else', agent.argsProbe?.else ?? []),
    ...checkArguments('auth.terminal.args', auth.terminal?.args ?? []),
    ...Object.entries(agent.labels).flatMap(([name, text]) =>
      check(`agent.labels.${name}`, text, open),
    ),
    ...Object.entries(agent.env).flatMap(([name, text]) =>
      check(`agent.env.${name}`, text, inEnvironment),
    ),
  ][0]
}

/** Describes the first field whose name is reserved. */
export function findWrongField({ auth }: Manifest, { fields }: SettingsSchema): string | undefined {
  const taken = ['permissions', 'mcpServers', ...auth.env.map(({ name }) => name)]
  for (const { id, type } of fields) {
    if (id === 'cwd' && type !== 'path')
      return 'fields: "cwd" is the folder of a session: its type is path.'
    if (taken.includes(id) || (id !== 'cwd' && FOLDER_VARIABLES.includes(variableName(id))))
      return `fields: "${id}" is a reserved name. Choose another one.`
  }
  return undefined
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name]) => name ?? '')
}
