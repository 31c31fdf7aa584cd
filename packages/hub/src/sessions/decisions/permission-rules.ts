// Decides permissions by the rules in the session's settings; without a matching rule a person decides. The first match wins.
import { isAbsolute, matchesGlob, relative } from 'node:path'
import { commandLineOf, type PermissionOption, type PermissionOutcome } from '@quayside/protocol'
import type { PermissionRule, SessionSettings } from '@quayside/protocol/schemas'
import type { PermissionRequest } from '../../agents/connection/read-agent-messages.js'

export type Ruling = { readonly outcome: PermissionOutcome; readonly rule: string }

const ASK = { mode: 'ask', rules: [] } as const satisfies SessionSettings['permissions']

export class PermissionRules {
  #settings: NonNullable<SessionSettings['permissions']>
  readonly #root: string
  readonly #isSensitivePath: (path: string) => boolean

  constructor(
    settings: SessionSettings['permissions'],
    root: string,
    isSensitivePath: (path: string) => boolean,
  ) {
    this.#settings = settings ?? ASK
    this.#root = root
    this.#isSensitivePath = isSensitivePath
  }

  replace(settings: SessionSettings['permissions']): void {
    this.#settings = settings ?? ASK
  }

  /** Undefined when a person decides: the default, and always for files that can run code unseen. */
  decide({ toolCall, options }: PermissionRequest): Ruling | undefined {
    const facts = this.#factsOf(toolCall)
    const rule = this.#settings.rules.find((candidate) => matchesRule(candidate, facts))
    const action = rule?.action ?? (this.#settings.mode === 'auto' ? 'allow' : 'ask')
    if (action === 'ask') return undefined
    if (action === 'allow' && facts.paths.some(this.#isSensitivePath)) return undefined
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
    const { kind, title, locations, content, rawInput } = toolCall
    const command = commandLineOf(rawInput) ?? (kind === 'execute' ? title : undefined)
    return {
      kind: typeof kind === 'string' ? kind : 'other',
      command: textOf(command),
      // Diffs have paths too, and not every agent reports its locations.
      paths: [...this.#relativePaths(locations), ...this.#relativePaths(content)],
    }
  }

  /** Of the entries that have a path. */
  #relativePaths(list: unknown): string[] {
    if (!Array.isArray(list)) return []
    return list.flatMap((entry: unknown) => {
      const { path } = (entry ?? {}) as { path?: unknown }
      if (typeof path !== 'string') return []
      return [isAbsolute(path) ? relative(this.#root, path) : path]
    })
  }
}

type Facts = { readonly kind: string; readonly command: string; readonly paths: readonly string[] }

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Every condition must hold. An allow rule must match the whole call; deny and ask rules match any part of it. */
function matchesRule(rule: PermissionRule, { kind, command, paths }: Facts): boolean {
  const { action, command: line, path: pattern } = rule
  if (rule.kind !== undefined && rule.kind !== kind) return false
  const isAllowing = action === 'allow'
  if (line !== undefined && !(isAllowing ? isWholly(command, line) : isPartly(command, line)))
    return false
  if (pattern === undefined) return true
  const isMatch = (path: string): boolean => matchesGlob(path, pattern)
  return isAllowing ? paths.length > 0 && paths.every(isMatch) : paths.some(isMatch)
}

const CHAIN = /[;&|`$()<>\n]+/

/** A command that chains others matches only a pattern that equals it. */
function isWholly(command: string, pattern: string): boolean {
  return command === pattern || (!CHAIN.test(command) && matches(command, pattern))
}

function isPartly(command: string, pattern: string): boolean {
  const parts = command.split(CHAIN).map((part) => part.trim())
  return [command, ...parts].some((part) => matches(part, pattern))
}

/** `npm test*` matches `npm test -- --watch`. */
function matches(command: string, pattern: string): boolean {
  if (command === pattern) return true
  return pattern.endsWith('*') && command.startsWith(pattern.slice(0, -1))
}

/** The mildest option of the kind: a rule never answers "always". */
function pick(
  options: readonly PermissionOption[],
  action: 'allow' | 'deny',
): PermissionOption | undefined {
  const wanted = action === 'allow' ? 'allow_once' : 'reject_once'
  return options.find(({ kind }) => kind === wanted)
}
