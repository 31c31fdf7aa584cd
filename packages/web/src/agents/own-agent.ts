// What a form says of an agent of one's own, and what the hub is told of it.
import type { NewAgent } from '@quayside/client'

export type Variable = { readonly name: string; readonly value: string }

export type OwnAgent = {
  readonly name: string
  readonly command: string
  /** As one writes them in a shell. */
  readonly args: string
  readonly variables: readonly Variable[]
}

const SECRET = /key|token|secret|password|credential/i

/** Variables that are called so are kept as secrets, and not shown while they are typed. */
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

/** An id as manifests have it: small letters, digits and -. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase()
  const id = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return /^[a-z]/.test(id) ? id : `agent-${id}`.replace(/-$/, '')
}

/** By spaces, except in quotes. There is no shell: nothing else has a meaning. */
export function splitArguments(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) => part.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
