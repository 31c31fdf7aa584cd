// Implements the commands for comparisons: one prompt to several agents, their results side by side, and the choice of one.
import type { comparisonCommands, Handlers } from '@quayside/protocol/schemas'
import {
  type ComparisonViewDeps,
  describeComparison,
} from '../../comparisons/describe-comparison.js'
import type { Caller } from '../../http/access/principal.js'
import { throwPathError } from '../repo-errors.js'

export function comparisonHandlers(
  deps: ComparisonViewDeps,
): Handlers<typeof comparisonCommands, Caller> {
  const { comparisons, log } = deps
  return {
    'comparison/create': async (input, { by }) => {
      const id = await comparisons.create({ ...input, by }).catch(throwPathError(undefined, log))
      return describeComparison(deps, id)
    },
    'comparison/get': ({ comparisonId }) => describeComparison(deps, comparisonId),
    'comparison/take': async ({ comparisonId, sessionId }, { by }) => {
      const taken = comparisons.take(comparisonId, sessionId, by)
      await taken.catch(throwPathError(undefined, log))
      return describeComparison(deps, comparisonId)
    },
  }
}
