// The texts of work trees: the choice for a new session, and the way of a session's branch to the merge.
import { count, inDigits } from '../../shared/text/plural.js'

export const workspace = {
  workTree: 'Work tree',
  shared: 'Shared work tree',
  own: (base: string) => `Own work tree from ${base}`,
  currentCommit: 'the current commit',
  ownAsItIs: 'Own work tree, files as now',
  ownOther: 'Own work tree, other branch…',
  branchTitle: 'Begin from another branch',
  branchText: 'The session gets a branch of its own that begins there.',
  branchName: 'Name of the branch',
  choose: 'Choose',
  making: 'Making a work tree, then starting…',
  filesWritten: 'Files of the work tree',
  filesDone: (done: number, total: number) =>
    `${inDigits(done)} of ${count(total, 'file', 'files')}`,
  menu: (branch: string) => `Branch ${branch}`,
  removed: 'Work tree removed',
  removedText:
    'The work tree of this session was removed. You can read the session, but not continue it.',
  compare: 'Compare with the others',
  check: 'Run the check',
  commit: 'Commit…',
  commitTitle: 'Commit all changes',
  commitText: 'The hooks of the repository run, as at your terminal.',
  message: 'Commit message',
  commitAction: 'Commit',
  committed: (commit: string) => `The last commit is ${commit}.`,
  bringIn: (base: string) => `Bring into ${base}…`,
  bringInTitle: (branch: string) => `Bring in ${branch}`,
  into: 'Into the branch',
  how: 'How',
  ways: {
    merge: { name: 'Merge', text: 'All commits, and a merge commit.' },
    squash: { name: 'Squash', text: 'One commit with all changes.' },
    rebase: { name: 'Rebase', text: 'The commits on top of the branch, one after the other.' },
  },
  bringInAction: 'Bring in',
  broughtIn: (into: string, commit: string) => `${into} is now at ${commit}.`,
  dirtyHere: 'These changes are not committed yet. Commit them first.',
  dirtyThere: (into: string) =>
    `These files are in the way in the work tree where ${into} is checked out. Commit or move them there first.`,
  conflict: (files: number, into: string) =>
    `${count(files, 'file conflicts', 'files conflict')} with ${into}. Nothing has changed.`,
  files: 'Files',
  resolve: 'Let the agent resolve it',
  resolvePrompt: (into: string, files: string) =>
    `Merge the branch ${into} into this work tree and resolve the conflicts in:\n${files}\nThen commit the merge.`,
  push: 'Push…',
  pushTitle: (branch: string) => `Push ${branch}`,
  remote: 'To the remote',
  pushAction: 'Push',
  pushed: (branch: string) => `${branch} is pushed.`,
  pullRequest: 'Pull request',
  pullRequestTitle: 'Title',
  pullRequestBody: 'Description',
  pullRequestText: 'It is opened with the account that gh or glab has where the hub runs.',
  pullRequestAction: 'Open pull request',
  pullRequestOpened: 'The pull request is open.',
  discard: 'Discard…',
  discardTitle: 'Discard the work tree?',
  discardText: (branch: string) =>
    `The work tree and the branch ${branch} are removed, and the session ends. Their state, also uncommitted changes, is kept as a reference of the repository.`,
  discardAction: 'Discard',
  discarded: 'The work tree is removed. Its state is kept as this reference:',
  nothingKept: (base: string) => `The work tree is removed. ${base} already has everything of it.`,
  unsaved: (files: number, commits: number, reference: string) => {
    const parts = [
      ...(files > 0 ? [`uncommitted changes in ${count(files, 'file', 'files')}`] : []),
      ...(commits > 0
        ? [`${count(commits, 'commit', 'commits')} that its base does not have`]
        : []),
    ]
    return `Its work tree has ${parts.join(' and ')}. They are kept as ${reference}.`
  },
  unsavedShort: 'work kept as a reference',
  discardedShort: 'with its discarded work',
  working: 'Working…',
  output: 'Output of git and its hooks',
}
