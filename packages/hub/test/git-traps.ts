// Traps in the settings and files of a repository: monitors, unusual paths, filters, diff and merge programs.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { TestRepo } from './git-fixture.js'
import {
  ADD,
  always,
  attributes,
  command,
  config,
  DIFF,
  fsmonitor,
  program,
  STATUS,
  type Trap,
  type Trapped,
} from './git-trap.js'
import { TOOL_TRAPS } from './git-tool-traps.js'

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

// `git status` reads a file, and so runs a filter, only when size and time are ambiguous; `add` always does.
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
    control: ADD,
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
    control: ADD,
  },
  {
    name: 'a filter named in the index only',
    set: (trapped) => {
      attributes('* filter=x', trapped).git('add', '.gitattributes')
      trapped.repo.remove('.gitattributes')
      config(['filter.x.clean', command])(trapped)
    },
    control: ['add', 'a.txt'],
  },
  {
    name: 'a filter in an included file, with dots and capitals in its name',
    set: (trapped) => {
      attributes('* filter=A.b.C', trapped)
      trapped.repo.write('settings', `[filter "A.b.C"]\n\tclean = ${trapped.command}\n`)
      trapped.repo.git('config', 'include.path', '../settings')
    },
    control: ADD,
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

/** Grouped by the part of git that they abuse. */
export const TRAP_FAMILIES = [MONITORS, PLACES, FILTERS, DIFFS, ...TOOL_TRAPS]
