// The result of a torture run in one line.
import type { Figures } from './torture.js'
import type { ViolationKind } from './shadow.js'

const MAX_VIOLATIONS = 20
const MAX_CHARS = 500

/** The first problems, shortened. */
export function describeViolations({ violations }: Figures): string[] {
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
