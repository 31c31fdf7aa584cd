// Implements the commands for comparisons: one prompt to several agents, their results side by side, and the choice of one.
import type { comparisonCommands } from '@quayside/protocol/schemas'
import { describeComparison } from '../../comparisons/describe-comparison.js'
import { throwPathError } from '../repo-errors.js'
import type { Room } from '../room.js'

export const comparisons: Room<typeof comparisonCommands> = (deps) => {
  const { comparisons, log } = deps
  return {
    // A request for another machine has been passed on.
    'comparison/create': async ({ hub: _hub, ...input }, { by }) => {
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
