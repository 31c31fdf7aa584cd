// Traps in programs that git starts for other tasks: hooks, the network, editors, pagers, helpers.
import { ADD, always, COMMIT, config, DIFF, FETCH, hook, program, type Trap } from './git-trap.js'

const HOOKS: readonly Trap[] = [
  {
    name: 'hook post-index-change',
    set: (trapped) => hook('post-index-change', trapped),
    control: ADD,
  },
  {
    name: 'core.hooksPath in the files',
    set: (trapped) => {
      const { repo, command } = trapped
      repo.write('.husky/post-index-change', `#!/bin/sh\n${command}\n`, 0o755)
      config(['core.hooksPath', always('.husky')])(trapped)
    },
    control: ADD,
  },
  { name: 'hook pre-commit', set: (trapped) => hook('pre-commit', trapped), control: COMMIT },
  {
    name: 'hook reference-transaction',
    set: (trapped) => hook('reference-transaction', trapped),
    control: ['update-ref', 'refs/heads/x', 'HEAD'],
  },
  {
    name: 'hook post-checkout',
    set: (trapped) => hook('post-checkout', trapped),
    control: ['checkout', '-b', 'x'],
  },
  {
    name: 'hook pre-auto-gc',
    set: (trapped) => {
      const { repo, command } = trapped
      // It fails, so that nothing is collected.
      repo.write('.git/hooks/pre-auto-gc', `#!/bin/sh\n${command}\nexit 1\n`, 0o755)
      for (const content of ['three\n', 'four\n', 'five\n'])
        repo.write('sub/b.txt', content).commit().git('repack', '--quiet')
      repo.write('a.txt', 'six\n')
      config(['gc.autoPackLimit', always('1')], ['gc.autoDetach', always('false')])(trapped)
    },
    control: ['gc', '--auto'],
  },
]

const NETWORK: readonly Trap[] = [
  {
    name: 'a remote with ext::',
    set: config(
      ['remote.origin.url', ({ program }) => `ext::${program}`],
      ['protocol.ext.allow', always('always')],
    ),
    control: FETCH,
  },
  {
    name: 'an address to push to with ext::',
    set: config(
      ['remote.origin.url', always('https://localhost/x')],
      ['remote.origin.pushurl', ({ program }) => `ext::${program}`],
      ['protocol.ext.allow', always('always')],
    ),
    control: ['push', 'origin', 'main'],
  },
  {
    name: 'remote.uploadpack',
    set: config(['remote.origin.url', always('.')], ['remote.origin.uploadpack', program]),
    control: FETCH,
  },
  {
    name: 'core.sshCommand',
    set: config(['remote.origin.url', always('ssh://localhost/x')], ['core.sshCommand', program]),
    control: FETCH,
  },
  {
    name: 'core.gitProxy',
    set: config(['remote.origin.url', always('git://localhost/x')], ['core.gitProxy', program]),
    control: FETCH,
  },
  {
    name: 'a partial clone that fetches what is missing',
    set: (trapped) => {
      const { repo } = trapped
      const blob = repo.git('rev-parse', 'HEAD:a.txt').trim()
      config(
        ['core.repositoryformatversion', always('1')],
        ['extensions.partialClone', always('origin')],
        ['remote.origin.url', ({ program }) => `ext::${program}`],
        ['remote.origin.promisor', always('true')],
        ['protocol.ext.allow', always('always')],
      )(trapped)
      repo.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`)
    },
    control: DIFF,
  },
  {
    name: 'an upstream branch over ext::',
    set: config(
      ['remote.origin.url', ({ program }) => `ext::${program}`],
      ['remote.origin.fetch', always('+refs/heads/*:refs/remotes/origin/*')],
      ['branch.main.remote', always('origin')],
      ['branch.main.merge', always('refs/heads/main')],
      ['protocol.ext.allow', always('always')],
    ),
    control: ['pull'],
  },
]

const TOOLS: readonly Trap[] = [
  {
    name: 'credential.helper',
    set: config(
      ['credential.helper', ({ program }) => `!${program}`],
      ['remote.origin.url', always('https://localhost:1/x')],
    ),
    control: ['-c', 'credential.interactive=false', 'credential', 'fill'],
  },
  { name: 'alias', set: config(['alias.st', ({ command }) => `!${command}`]), control: ['st'] },
  { name: 'core.editor', set: config(['core.editor', program]), control: ['commit', '--amend'] },
  {
    name: 'sequence.editor',
    set: config(['sequence.editor', program]),
    control: ['rebase', '--autostash', '--interactive', '--root'],
  },
  {
    name: 'gpg.program',
    set: config(['gpg.program', program], ['commit.gpgSign', always('true')]),
    control: COMMIT,
  },
  { name: 'core.pager', set: config(['core.pager', program], ['pager.status', program]) },
  { name: 'pager.diff', set: config(['pager.diff', program]) },
  {
    name: 'core.alternateRefsCommand',
    set: (trapped) => {
      config(['core.alternateRefsCommand', program])(trapped)
      trapped.repo.write('.git/objects/info/alternates', `${trapped.outside}\n`)
    },
  },
]

export const TOOL_TRAPS: readonly (readonly Trap[])[] = [HOOKS, NETWORK, TOOLS]
