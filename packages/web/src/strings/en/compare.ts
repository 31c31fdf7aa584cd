// The texts of comparisons: the choice of agents, and their results side by side. Loaded with the pages that show them.
import { count } from '../../shared/text/plural.js'

export const compare = {
  chooseTitle: 'Compare agents',
  chooseText:
    'Each agent gets the same task in a work tree of its own. Afterwards you take the result that you like best.',
  atLeastTwo: 'Choose two to eight agents.',
  chosen: (number: number) => `Compare ${count(number, 'agent', 'agents')}`,
  title: 'Comparison',
  missing: 'This comparison is no longer here',
  missingText: 'Its sessions may have been removed.',
  outcomes: {
    working: 'Working',
    waiting: 'Needs you',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Stopped',
  },
  time: 'Time',
  cost: 'Cost',
  changes: 'Changes',
  noChanges: 'None',
  files: (number: number) => count(number, 'file', 'files'),
  check: 'Check',
  checks: { running: 'Running', passed: 'Passed', failed: 'Failed', unknown: 'Unknown' },
  exitCode: (code: number) => `exit code ${code}`,
  noCheckYet: 'Not yet',
  output: 'Output',
  checkAgain: 'Run the check again',
  open: 'Open the session',
  review: 'Review the changes',
  diffs: (agent: string) => `Changes of ${agent}`,
  showDiffs: 'Diffs',
  take: 'Take this one',
  takeOf: (agent: string) => `Take this one: ${agent}`,
  takeTitle: (agent: string) => `Take the work of ${agent}?`,
  takeText: (others: number) =>
    `${count(others, 'other session is', 'other sessions are')} ended and archived. Their terminals are closed, and their work trees and branches are removed. Their work, also what is not committed, is kept as references of the repository.`,
  taken: 'Taken',
  givenUp: 'Given up',
  keptAs: 'Its work is kept as this reference:',
}
