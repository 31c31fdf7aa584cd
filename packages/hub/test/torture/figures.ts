// The result of a torture run in one line.
import type { HubsFigures } from './hubs/hubs-torture.js'
import type { Figures } from './torture.js'
import type { ViolationKind } from './shadow.js'

const MAX_VIOLATIONS = 20
const MAX_CHARS = 12_000

/** The first problems, shortened. */
export function describeViolations({ violations }: Pick<Figures, 'violations'>): string[] {
  return violations
    .slice(0, MAX_VIOLATIONS)
    .map(({ round, kind, what }) => `round ${round}, ${kind}: ${what.slice(0, MAX_CHARS)}`)
}

export function describeFigures(figures: Figures): string {
  const count = (...kinds: ViolationKind[]): number =>
    figures.violations.filter(({ kind }) => kinds.includes(kind)).length
  return [
    `${figures.rounds} rounds, ${figures.kills} kills, ${figures.sessions} sessions`,
    `${figures.acknowledged} acknowledgements`,
    `${figures.eventsSeen} events seen, ${figures.eventsCompared} compared`,
    `${count('lost')} lost, ${count('doubled')} doubled, ${count('changed')} changed`,
    `${count('gap')} gaps, ${count('untrue')} untrue, ${count('unfolded')} unfolded`,
    `${count('corrupt')} corrupt, ${count('orphan')} orphans, ${count('broken')} broken`,
    `slowest restart ${figures.slowestRestartMs} ms`,
  ].join('; ')
}

export function describeHubs(figures: HubsFigures): string {
  const { takeoversMs, violations } = figures
  const faults = Object.entries(figures.faults).map(([kind, count]) => `${count} × ${kind}`)
  const slowest = Math.round(Math.max(0, ...takeoversMs))
  return [
    `${figures.rounds} rounds (${faults.join(', ')})`,
    `${figures.sessions} sessions, ${figures.acknowledged} acknowledgements`,
    `${figures.eventsSeen} events seen, ${figures.eventsCompared} compared`,
    `${figures.looksAtOwners} looks at owners`,
    `${takeoversMs.length} takeovers, slowest ${slowest} ms`,
    `${violations.length} violations`,
  ].join('; ')
}
