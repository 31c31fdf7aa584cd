// Decides permissions by the rules in the session's settings; without a matching rule a person decides. The first match wins.
import { matchesGlob } from 'node:path'
import type { PermissionOption, PermissionOutcome } from '@quayside/protocol'
import type { PermissionRule, SessionSettings } from '@quayside/protocol/schemas'
import { type CallFacts, type CallPath, factsOf, type KnownCall } from './call-facts.js'
import { isDoubtful, isPartly, isWholly } from './command-lines.js'

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

  /**
   * Undefined when a person decides. That is the default, and always so for files that can run code unseen, for paths
   * outside of the repository, and for calls of which too little is known.
   */
  decide(known: KnownCall, options: readonly PermissionOption[]): Ruling | undefined {
    const { rules, mode } = this.#settings
    const facts = factsOf(known, this.#root)
    const fits = rules.map((rule) => fitOf(rule, facts))
    const first = fits.indexOf('yes')
    const rule = rules[first]
    const action = rule?.action ?? (mode === 'auto' ? 'allow' : 'ask')
    if (action === 'ask') return undefined
    // A rule that may hold the call back counts before any rule that allows it.
    const isDoubted = fits.slice(0, first < 0 ? undefined : first).includes('maybe')
    if (action === 'allow' && (isDoubted || this.#isUnsafe(facts, rule))) return undefined
    const option = pick(options, action)
    if (option === undefined && action === 'allow') return undefined
    return {
      outcome: option
        ? { outcome: 'selected', optionId: option.optionId }
        : { outcome: 'cancelled' },
      rule: rule ? `rule ${JSON.stringify(rule)}` : 'auto mode',
    }
  }

  #isUnsafe({ isComplete, paths, lines }: CallFacts, rule: PermissionRule | undefined): boolean {
    if (!isComplete || paths.some((path) => this.#isSensitivePath(path.relative))) return true
    // A person wrote this very command into the rule.
    const isSpelledOut = lines.length > 0 && lines.every((line) => line === rule?.command)
    return !isSpelledOut && paths.some(({ isOutside }) => isOutside)
  }
}

/** `maybe`: the facts do not exclude that the rule is meant, so a person decides. */
type Fit = 'yes' | 'maybe' | 'no'

/** Every condition must hold. An allow rule must match the whole call; deny and ask rules match any part of it. */
function fitOf(rule: PermissionRule, facts: CallFacts): Fit {
  if (rule.action === 'allow') return isAllowed(rule, facts) ? 'yes' : 'no'
  const fits = [kindFit(rule, facts), commandFit(rule, facts), pathFit(rule, facts)]
  return (['no', 'maybe'] as const).find((fit) => fits.includes(fit)) ?? 'yes'
}

const READING_KINDS = new Set(['read', 'search', 'think'])

function isAllowed(rule: PermissionRule, { kind, lines, hasDiff, paths }: CallFacts): boolean {
  const { kind: wanted = kind, command, path: pattern } = rule
  if (wanted !== kind) return false
  if (rule.kind !== undefined && READING_KINDS.has(kind) && (hasDiff || lines.length > 0))
    return false
  if (
    command !== undefined &&
    !(lines.length > 0 && lines.every((line) => isWholly(line, command)))
  )
    return false
  if (pattern === undefined) return true
  return paths.length > 0 && paths.every((path) => matchesGlob(path.relative, pattern))
}

/** A diff is an edit and a command is executed, whatever kind the agent reports. */
function kindFit({ kind: wanted }: PermissionRule, { kind, lines, hasDiff }: CallFacts): Fit {
  if (wanted === undefined || wanted === kind) return 'yes'
  const isMeant = (wanted === 'execute' && lines.length > 0) || (wanted === 'edit' && hasDiff)
  return isMeant ? 'maybe' : 'no'
}

function commandFit({ command }: PermissionRule, { kind, lines, title }: CallFacts): Fit {
  if (command === undefined) return 'yes'
  const said = kind === 'execute' ? [...lines, title] : lines
  if (said.some((line) => isPartly(line, command))) return 'yes'
  return lines.some((line) => isDoubtful(line, command)) ? 'maybe' : 'no'
}

const FILE_KINDS = new Set(['read', 'edit', 'delete', 'move'])

function pathFit({ path: pattern }: PermissionRule, { kind, lines, paths }: CallFacts): Fit {
  if (pattern === undefined || paths.some((path) => isHeld(path, pattern))) return 'yes'
  const isUnnamed = FILE_KINDS.has(kind) && paths.length === 0 && lines.length === 0
  return isUnnamed ? 'maybe' : 'no'
}

/** Hidden files and the folder itself count too: `secrets/**` holds back `secrets/.key` and `secrets`. */
function isHeld({ absolute, relative }: CallPath, pattern: string): boolean {
  const shown = pattern.replaceAll(/(?<=^|[/{,(|])\.(?=[^./])/g, SHOWN_DOT)
  return [absolute, relative]
    .map((path) => path.replaceAll(/(?<=^|\/)\.(?=[^./])/g, SHOWN_DOT))
    .some((path) => matchesGlob(path, shown) || matchesGlob(`${path}/-`, shown))
}

/** Stands for the dot of a hidden file, which wildcards do not match. */
const SHOWN_DOT = '\u2024'

/** The mildest option of the kind: a rule never answers "always". */
function pick(
  options: readonly PermissionOption[],
  action: 'allow' | 'deny',
): PermissionOption | undefined {
  const wanted = action === 'allow' ? 'allow_once' : 'reject_once'
  return options.find(({ kind }) => kind === wanted)
}
