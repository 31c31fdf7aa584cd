// Who decides a permission: people, unless the session's own settings say otherwise. The first rule that fits counts.
import { isAbsolute, matchesGlob, relative } from 'node:path'
import type { PermissionOption, PermissionOutcome } from '@quayside/protocol'
import type { PermissionRule, SessionSettings } from '@quayside/protocol/schemas'
import type { PermissionRequest } from '../agents/agent-requests.js'
import { isSensitivePath } from '../repos/confined-files.js'

export type Ruling = { readonly outcome: PermissionOutcome; readonly rule: string }

const ASK = { mode: 'ask', rules: [] } as const satisfies SessionSettings['permissions']

export class PermissionPolicy {
  #settings: NonNullable<SessionSettings['permissions']>
  readonly #root: string

  constructor(settings: SessionSettings['permissions'], root: string) {
    this.#settings = settings ?? ASK
    this.#root = root
  }

  replace(settings: SessionSettings['permissions']): void {
    this.#settings = settings ?? ASK
  }

  /** Undefined when a person decides: the default, and always for files that can run code unseen. */
  decide({ toolCall, options }: PermissionRequest): Ruling | undefined {
    const facts = this.#factsOf(toolCall)
    const rule = this.#settings.rules.find((candidate) => fits(candidate, facts))
    const action = rule?.action ?? (this.#settings.mode === 'auto' ? 'allow' : 'ask')
    if (action === 'ask') return undefined
    if (action === 'allow' && facts.paths.some(isSensitivePath)) return undefined
    const option = pick(options, action)
    if (option === undefined && action === 'allow') return undefined
    return {
      outcome: option
        ? { outcome: 'selected', optionId: option.optionId }
        : { outcome: 'cancelled' },
      rule: rule ? `rule ${JSON.stringify(rule)}` : 'auto mode',
    }
  }

  #factsOf(toolCall: PermissionRequest['toolCall']): Facts {
    const { kind, title, locations, rawInput } = toolCall
    const input = (rawInput ?? {}) as { command?: unknown; cmd?: unknown }
    const command = input.command ?? input.cmd ?? (kind === 'execute' ? title : undefined)
    const paths = Array.isArray(locations) ? locations : []
    return {
      kind: typeof kind === 'string' ? kind : 'other',
      command: Array.isArray(command) ? command.join(' ') : textOf(command),
      paths: paths.flatMap((location: unknown) => this.#relativePath(location)),
    }
  }

  #relativePath(location: unknown): string[] {
    const { path } = (location ?? {}) as { path?: unknown }
    if (typeof path !== 'string') return []
    return [isAbsolute(path) ? relative(this.#root, path) : path]
  }
}

type Facts = { readonly kind: string; readonly command: string; readonly paths: readonly string[] }

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Every condition of a rule must hold; a path rule only fits when all paths of the call match. */
function fits(rule: PermissionRule, { kind, command, paths }: Facts): boolean {
  if (rule.kind !== undefined && rule.kind !== kind) return false
  if (rule.command !== undefined && !matchesCommand(command, rule.command)) return false
  const { path: pattern } = rule
  if (pattern === undefined) return true
  return paths.length > 0 && paths.every((path) => matchesGlob(path, pattern))
}

/** `npm test*` fits `npm test -- --watch`; a command that chains others fits only a rule that says it whole. */
function matchesCommand(command: string, pattern: string): boolean {
  if (command === pattern) return true
  if (!pattern.endsWith('*') || /[;&|`$<>\n]/.test(command)) return false
  return command.startsWith(pattern.slice(0, -1))
}

/** The mildest option of the kind: a rule of ours never says "always" to the agent. */
function pick(
  options: readonly PermissionOption[],
  action: 'allow' | 'deny',
): PermissionOption | undefined {
  const wanted = action === 'allow' ? 'allow_once' : 'reject_once'
  return options.find(({ kind }) => kind === wanted)
}
