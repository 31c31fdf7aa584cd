// Turns the form of a custom agent into the request that creates it.
import type { NewAgent } from '@quayside/client'

export type Variable = { readonly name: string; readonly value: string }

export type OwnAgent = {
  readonly name: string
  readonly command: string
  /** Written as in a shell. */
  readonly args: string
  readonly variables: readonly Variable[]
}

const SECRET = /key|token|secret|password|credential/i

/** Variables with such names are stored as secrets, and hidden while they are typed. */
export function isSecret(name: string): boolean {
  return SECRET.test(name)
}

export function extensionOf({ name, command, args, variables }: OwnAgent): NewAgent {
  const named = variables.filter((variable) => variable.name.trim() !== '')
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(
      named
        .filter((variable) => isWanted(variable.name))
        .map((variable) => [variable.name.trim(), variable.value]),
    )
  return {
    name: name.trim(),
    command: command.trim(),
    args: splitArguments(args),
    env: pick((one) => !isSecret(one)),
    secrets: pick(isSecret),
  }
}

/** A manifest id: lowercase letters, digits and hyphens. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase()
  const id = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return /^[a-z]/.test(id) ? id : `agent-${id}`.replace(/-$/, '')
}

/** Splits at spaces outside quotes. No shell runs, so nothing else has a meaning. */
export function splitArguments(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) => part.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
