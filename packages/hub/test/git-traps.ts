// Booby-trapped repositories: each runs a program of its own for some plain git command, which leaves a marker.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestFolder, TestRepo } from './git-fixture.js'

export type Trap = {
  readonly name: string
  /** Turns an innocent repository with changes into a trap. */
  set(trapped: Trapped): void
  /** A plain git command that springs it: the control. Absent where none can without a terminal. */
  readonly control?: readonly string[]
}

export type Trapped = {
  readonly repo: TestRepo
  /** A shell command that leaves the marker. */
  readonly command: string
  /** A program that leaves the marker. */
  readonly program: string
  /** A folder beside the repository. */
  readonly outside: string
}

export type BuiltTrap = Trapped & { readonly marker: string }

export function buildTrap(folder: TestFolder, trap: Trap): BuiltTrap {
  const repo = folder.repo('workspace/victim').init()
  repo.write('a.txt', 'one\ntwo\n').write('sub/b.txt', 'b\n').write('.gitattributes', '').commit()
  const marker = join(folder.path, 'marker')
  const outside = join(folder.path, 'outside')
  mkdirSync(outside)
  const program = join(outside, 'program')
  const command = `touch '${marker}'`
  new TestRepo(outside).write('program', `#!/bin/sh\n${command}\ncat 2>/dev/null\n`, 0o755)
  const trapped = { repo, command, program, outside }
  repo.write('a.txt', 'one\nTWO\n').write('sub/new.txt', 'new\n')
  trap.set(trapped)
  rmSync(marker, { force: true })
  return { ...trapped, marker }
}

const config =
  (...pairs: readonly (readonly [string, (trapped: Trapped) => string])[]) =>
  (trapped: Trapped): void => {
    for (const [name, value] of pairs) trapped.repo.git('config', '--local', name, value(trapped))
  }
const command = ({ command }: Trapped) => command
const program = ({ program }: Trapped) => program
const always = (value: string) => () => value
const attributes = (line: string, { repo }: Trapped) => repo.write('.gitattributes', `${line}\n`)
const hook = (name: string, { repo, command }: Trapped) =>
  repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${command}\n`, 0o755)
const fsmonitor = ({ program }: Trapped) => `[core]\n\tfsmonitor = ${program}\n`

const STATUS = ['status']
const DIFF = ['diff']
const ADD = ['add', '--all']
const FETCH = ['fetch', 'origin']
const COMMIT = ['commit', '--allow-empty', '-m', 'x']

const MONITORS: readonly Trap[] = [
  { name: 'core.fsmonitor', set: config(['core.fsmonitor', program]), control: STATUS },
  {
    name: 'core.fsmonitor in other letters',
    set: ({ repo, program }) =>
      appendFileSync(repo.at('.git/config'), `[CORE]\n\tFSMonitor = ${program}\n`),
    control: DIFF,
  },
  {
    name: 'core.fsmonitor with its index extension',
    set: (trapped) => {
      config(['core.fsmonitor', program])(trapped)
      trapped.repo.tryGit('update-index', '--fsmonitor')
    },
    control: ['ls-files', '--others'],
  },
  {
    name: 'include.path',
    set: (trapped) => {
      trapped.repo.write('settings', fsmonitor(trapped))
      trapped.repo.git('config', 'include.path', '../settings')
    },
    control: STATUS,
  },
  {
    name: 'includeIf.gitdir',
    set: (trapped) => {
      trapped.repo.write('settings', fsmonitor(trapped))
      trapped.repo.git('config', 'includeIf.gitdir:/.path', '../settings')
      trapped.repo.git('config', `includeIf.gitdir:${trapped.repo.path}/.path`, '../settings')
    },
    control: STATUS,
  },
  {
    name: 'includeIf.onbranch',
    set: (trapped) => {
      trapped.repo.write('settings', fsmonitor(trapped))
      trapped.repo.git('config', 'includeIf.onbranch:main.path', '../settings')
    },
    control: STATUS,
  },
  {
    name: 'config.worktree',
    set: (trapped) => {
      trapped.repo.git('config', 'core.repositoryformatversion', '1')
      trapped.repo.git('config', 'extensions.worktreeConfig', 'true')
      trapped.repo.write('.git/config.worktree', fsmonitor(trapped))
    },
    control: STATUS,
  },
]

const PLACES: readonly Trap[] = [
  {
    name: 'a .git file that points outside',
    set: (trapped) => {
      config(['core.fsmonitor', program])(trapped)
      renameSync(trapped.repo.at('.git'), join(trapped.outside, 'git'))
      trapped.repo.write('.git', `gitdir: ${trapped.outside}/git\n`)
    },
    control: STATUS,
  },
  {
    name: 'a .git link that points outside',
    set: (trapped) => {
      config(['core.fsmonitor', program])(trapped)
      renameSync(trapped.repo.at('.git'), join(trapped.outside, 'git'))
      symlinkSync(join(trapped.outside, 'git'), trapped.repo.at('.git'))
    },
    control: STATUS,
  },
  {
    name: 'a linked work tree of a hostile repository',
    set: (trapped) => {
      const main = new TestRepo(join(trapped.outside, 'main')).init().write('x', 'x\n').commit()
      rmSync(trapped.repo.path, { recursive: true })
      main.git('worktree', 'add', '--quiet', trapped.repo.path)
      main.git('config', 'core.fsmonitor', trapped.program)
      trapped.repo.write('x', 'y\n')
    },
    control: STATUS,
  },
  {
    name: 'core.worktree elsewhere',
    set: (trapped) => {
      trapped.repo.git('config', 'core.worktree', trapped.outside)
      config(['core.fsmonitor', program])(trapped)
    },
    control: STATUS,
  },
  {
    name: 'a bare repository inside the files',
    set: (trapped) => {
      const bare = new TestRepo(trapped.repo.at('docs'))
      mkdirSync(bare.path)
      bare.git('init', '--bare', '--quiet')
      bare.git('config', 'core.bare', 'false')
      bare.git('config', 'core.worktree', trapped.repo.path)
      bare.git('config', 'core.fsmonitor', trapped.program)
    },
    control: ['-C', 'docs', 'status'],
  },
  {
    name: 'a repository inside the files',
    set: (trapped) => {
      const inner = new TestRepo(trapped.repo.at('inner')).init().write('x', 'x\n').commit()
      inner.git('config', 'core.fsmonitor', trapped.program)
      inner.write('x', 'y\n')
    },
    control: ['-C', 'inner', 'status'],
  },
  {
    name: 'a submodule with a monitor',
    set: (trapped) => addSubmodule(trapped).git('config', 'core.fsmonitor', trapped.program),
    control: STATUS,
  },
  {
    name: 'a submodule with a filter',
    set: (trapped) => {
      const inner = addSubmodule(trapped).write('.gitattributes', '* filter=x\n')
      inner.git('config', 'filter.x.clean', trapped.command)
      inner.write('x', 'z\n')
    },
    control: STATUS,
  },
  {
    name: 'a submodule with a monitor and a new commit',
    set: (trapped) => {
      const inner = addSubmodule(trapped).commit()
      inner.git('config', 'core.fsmonitor', trapped.program)
    },
    control: DIFF,
  },
]

function addSubmodule({ repo, outside }: Trapped): TestRepo {
  new TestRepo(join(outside, 'library')).init().write('x', 'x\n').commit()
  const local = ['-c', 'protocol.file.allow=always']
  repo.git(...local, 'submodule', '--quiet', 'add', join(outside, 'library'), 'library')
  repo.git('commit', '--quiet', '-m', 'library')
  return new TestRepo(repo.at('library')).write('x', 'y\n')
}

const FILTERS: readonly Trap[] = [
  ...['clean', 'process'].map((way) => ({
    name: `filter.x.${way}`,
    set: (trapped: Trapped) => {
      attributes('* filter=x', trapped)
      trapped.repo.git('config', `filter.x.${way}`, trapped.command)
    },
    control: ADD,
  })),
  {
    name: 'filter.x.clean that is required',
    set: (trapped) => {
      attributes('* filter=x', trapped)
      config(['filter.x.clean', command], ['filter.x.required', always('true')])(trapped)
    },
    control: STATUS,
  },
  {
    name: 'filter.x.smudge',
    set: (trapped) => {
      attributes('a.txt filter=x', trapped)
      config(['filter.x.smudge', command])(trapped)
    },
    control: ['checkout', '--', 'a.txt'],
  },
  {
    name: 'a filter named in info/attributes',
    set: (trapped) => {
      trapped.repo.write('.git/info/attributes', '* filter=x\n')
      config(['filter.x.clean', command])(trapped)
    },
    control: DIFF,
  },
  {
    name: 'a filter named in core.attributesFile',
    set: (trapped) => {
      trapped.repo.write('settings', '* filter=x\n')
      config(['core.attributesFile', ({ repo }) => repo.at('settings')])(trapped)
      config(['filter.x.clean', command])(trapped)
    },
    control: STATUS,
  },
  {
    name: 'a filter named in the index only',
    set: (trapped) => {
      attributes('* filter=x', trapped).git('add', '.gitattributes')
      trapped.repo.remove('.gitattributes')
      config(['filter.x.clean', command])(trapped)
    },
    control: STATUS,
  },
  {
    name: 'a filter in an included file, with dots and capitals in its name',
    set: (trapped) => {
      attributes('* filter=A.b.C', trapped)
      trapped.repo.write('settings', `[filter "A.b.C"]\n\tclean = ${trapped.command}\n`)
      trapped.repo.git('config', 'include.path', '../settings')
    },
    control: STATUS,
  },
]

const DIFFS: readonly Trap[] = [
  { name: 'diff.external', set: config(['diff.external', program]), control: DIFF },
  ...['command', 'textconv'].map((way) => ({
    name: `diff.x.${way}`,
    set: (trapped: Trapped) => {
      attributes('* diff=x', trapped)
      trapped.repo.git('config', `diff.x.${way}`, trapped.program)
    },
    control: DIFF,
  })),
  {
    name: 'diff.x.textconv with a cache',
    set: (trapped) => {
      attributes('* diff=x', trapped)
      config(['diff.x.textconv', program], ['diff.x.cachetextconv', always('true')])(trapped)
    },
    control: DIFF,
  },
  {
    name: 'merge.x.driver',
    set: (trapped) => {
      const { repo } = trapped
      repo.write('.git/info/attributes', '* merge=x\n').git('stash', '--quiet')
      repo.git('checkout', '--quiet', '-b', 'other')
      repo.write('a.txt', 'other\n').commit().git('checkout', '--quiet', 'main')
      repo.write('a.txt', 'main\n').commit().write('sub/b.txt', 'B\n')
      config(['merge.x.driver', command])(trapped)
    },
    control: ['merge', 'other'],
  },
]

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
      hook('pre-auto-gc', trapped)
      // `gc --auto` looks at one folder of 256, so that a number below one is needed to be sure.
      for (let at = 0; at < 64; at++) trapped.repo.write(`sub/many-${at}`, `${at}\n`)
      trapped.repo.commit().write('a.txt', 'three\n')
      config(['gc.auto', always('1')], ['gc.autoPackLimit', always('1')])(trapped)
      trapped.repo.git('repack', '--quiet')
      trapped.repo.commit().git('repack', '--quiet')
      trapped.repo.write('a.txt', 'four\n')
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
    name: 'url.insteadOf to ext::',
    set: config(
      ['remote.origin.url', always('https://localhost/x')],
      ['url.ext::sh -c "touch.insteadOf', always('nothing')],
      ['protocol.ext.allow', always('always')],
      ['remote.origin.pushurl', ({ program }) => `ext::${program}`],
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

export const TRAPS: readonly Trap[] = [
  ...MONITORS,
  ...PLACES,
  ...FILTERS,
  ...DIFFS,
  ...HOOKS,
  ...NETWORK,
  ...TOOLS,
]
