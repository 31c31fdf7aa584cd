// The permissions that a session grants automatically, in three levels that include each other. The hub stores them as
// rules in the session's settings, and logs each answer of a rule.
import type { SessionChange } from '@quayside/client'

export type Allowance = 'reads' | 'edits' | 'everything'

type Permissions = NonNullable<NonNullable<SessionChange['settings']>['permissions']>

const READS = ['read', 'search', 'think']
const KINDS = { reads: READS, edits: [...READS, 'edit', 'move'] }

export const ALLOWANCES: readonly Allowance[] = ['reads', 'edits', 'everything']

/** The change of a session that sets an allowance; without one, it removes the rules. */
export function allow(allowance: Allowance | undefined): SessionChange {
  const permissions: Permissions =
    allowance === 'everything'
      ? { mode: 'auto', rules: [] }
      : { mode: 'ask', rules: kindsOf(allowance).map((kind) => ({ action: 'allow', kind })) }
  return { settings: { permissions } }
}

/** Rules that were not set by this menu count as `other`. */
export function allowanceOf(
  settings: Readonly<Record<string, unknown>>,
): Allowance | 'other' | undefined {
  const { mode, rules = [] } = (settings['permissions'] ?? {}) as Permissions
  if (mode === 'auto') return 'everything'
  if (rules.length === 0) return undefined
  const kinds = rules.map(({ action, kind }) => `${action} ${kind}`).join()
  const known = (['reads', 'edits'] as const).find(
    (allowance) =>
      kindsOf(allowance)
        .map((kind) => `allow ${kind}`)
        .join() === kinds,
  )
  return known ?? 'other'
}

function kindsOf(allowance: 'reads' | 'edits' | undefined): readonly string[] {
  return allowance === undefined ? [] : KINDS[allowance]
}
