// Repositories that make git wait: pipes and devices in the places that git reads.
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { TestRepo } from '../git-fixture.js'

export type Blocker = { readonly name: string; block(repo: TestRepo): void }

function pipe(repo: TestRepo, name: string): void {
  rmSync(repo.at(name), { recursive: true, force: true })
  mkdirSync(dirname(repo.at(name)), { recursive: true })
  execFileSync('mkfifo', [repo.at(name)])
}

function device(repo: TestRepo, name: string): void {
  rmSync(repo.at(name), { recursive: true, force: true })
  mkdirSync(dirname(repo.at(name)), { recursive: true })
  symlinkSync('/dev/zero', repo.at(name))
}

/** The loose object of a file of the first commit. */
function objectOf(repo: TestRepo, path: string): string {
  const id = repo.git('rev-parse', `HEAD:${path}`).trim()
  return `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`
}

const PIPES = [
  '.gitignore',
  '.gitattributes',
  'sub/.gitignore',
  'sub/.gitattributes',
  'a.txt',
  'new.txt',
  '.git/HEAD',
  '.git/index',
  '.git/config',
  '.git/packed-refs',
  '.git/refs/heads/main',
  '.git/refs',
  '.git/shallow',
  '.git/commondir',
  '.git/gitdir',
  '.git/info',
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/info/sparse-checkout',
  '.git/info/grafts',
  '.git/objects',
  '.git/objects/info/alternates',
  '.git/objects/info/commit-graph',
  '.git/objects/pack',
  '.git/hooks',
  `.git/sharedindex.${'0'.repeat(40)}`,
  `.git/objects/pack/pack-${'0'.repeat(40)}.idx`,
  '.git',
  '.gitmodules',
  '.mailmap',
  '.gemini/settings.json',
  '.mcp.json',
  '.git/refs/replace/x',
]

export const BLOCKERS: readonly Blocker[] = [
  ...PIPES.map((name) => ({
    name: `a pipe at ${name}`,
    block: (repo: TestRepo) => pipe(repo, name),
  })),
  ...PIPES.slice(0, 20).map((name) => ({
    name: `an endless device at ${name}`,
    block: (repo: TestRepo) => device(repo, name),
  })),
  { name: 'a pipe as an object', block: (repo) => pipe(repo, objectOf(repo, 'a.txt')) },
  { name: 'a pipe as a tree', block: (repo) => pipe(repo, objectOf(repo, 'sub')) },
  {
    name: 'a pipe as the commit',
    block: (repo) => {
      const id = repo.git('rev-parse', 'HEAD').trim()
      pipe(repo, `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`)
    },
  },
  {
    name: 'settings that include a pipe',
    block: (repo) => {
      repo.git('config', 'include.path', '../included')
      pipe(repo, 'included')
    },
  },
  {
    name: 'settings of a work tree that are a pipe',
    block: (repo) => {
      repo.git('config', 'core.repositoryformatversion', '1')
      repo.git('config', 'extensions.worktreeConfig', 'true')
      pipe(repo, '.git/config.worktree')
    },
  },
  {
    name: 'a .git file that leads to a pipe',
    block: (repo) => {
      rmSync(repo.at('.git'), { recursive: true })
      pipe(repo, 'elsewhere')
      repo.write('.git', 'gitdir: elsewhere\n')
    },
  },
  {
    name: 'a .git file that leads to itself',
    block: (repo) => {
      rmSync(repo.at('.git'), { recursive: true })
      repo.write('.git', 'gitdir: .git\n')
    },
  },
  {
    name: 'an alternate that is a pipe',
    block: (repo) => {
      repo.write('.git/objects/info/alternates', `${repo.at('alternate')}\n`)
      pipe(repo, 'alternate/pack')
    },
  },
  {
    name: 'a submodule whose folder is a pipe',
    block: (repo) => {
      const inner = new TestRepo(repo.at('inner')).init().write('x', 'x\n').commit()
      repo.tryGit('add', 'inner')
      renameSync(inner.at('.git'), repo.at('kept'))
      pipe(repo, 'inner/.git')
    },
  },
]
