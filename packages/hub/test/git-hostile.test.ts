// Reading a hostile repository runs none of its programs: every trap, every command, and proof that the traps work.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Extensions } from '../src/agents/extensions/extensions.js'
import { SHIPPED_EXTENSIONS } from '../src/places.js'
import { GitError } from '../src/repos/git/git.js'
import { figure, isTorture } from './faults/figure.js'
import { TestFolder, type TestRepo } from './git-fixture.js'
import { type BuiltTrap, buildTrap, makeInnocent, type Trap } from './git-trap.js'
import { TRAP_FAMILIES } from './git-traps.js'

const TRAPS: readonly Trap[] = TRAP_FAMILIES.flat()
const AGENT_CONFIG = new Extensions([SHIPPED_EXTENSIONS], pino({ level: 'silent' })).configPaths
/** The ways in which `look` looks. */
const LOOKS = 8

let folder: TestFolder
let innocent: TestRepo
beforeAll(() => {
  folder = new TestFolder()
  innocent = makeInnocent(folder)
})
afterAll(() => folder[Symbol.dispose]())

/**
 * Status, diff and files run every git command. The diff of one path and the comparison with a snapshot repeat those of the diff:
 * only the first trap of each family meets them, and every trap in `npm run test:torture`.
 */
const meetsAllLooks = (trap: Trap): boolean =>
  isTorture || TRAP_FAMILIES.some(([first]) => first === trap)

/** Imported anew, so that the mutant can replace the wrapper. */
async function look({ repo, outside }: BuiltTrap, inAllWays: boolean): Promise<unknown[]> {
  const { readDiff, readStatus } = await import('../src/repos/repo-status.js')
  const { changesSince, takeSnapshot } = await import('../src/repos/git/working-tree-snapshot.js')
  const { RepoFiles } = await import('../src/repos/repo-files.js')
  const { findBranch, findRepositories } = await import('../src/repos/scan.js')
  const { readAgentConfig } = await import('../src/repos/trust.js')
  const folder = join(outside, 'snapshot')
  const looks = [
    () => findRepositories(join(repo.path, '..')),
    () => findBranch(repo.path),
    () => readStatus(repo.path),
    () => readDiff(repo.path),
    () => new RepoFiles().find(repo.path, 'a', 50),
    () => readAgentConfig(repo.path, AGENT_CONFIG),
    ...(inAllWays ? [() => readDiff(repo.path, { path: 'a.txt' })] : []),
  ]
  const compare = async () => {
    const snapshot = await takeSnapshot(repo.path, { folder })
    repo.write('a.txt', 'changed by the session\n')
    return changesSince(repo.path, snapshot, { folder, withPatches: true })
  }
  const attempt = (way: () => Promise<unknown>) => way().catch((error: unknown) => error)
  const seen = await Promise.all(looks.map(attempt))
  // The last one changes what the others read.
  return inAllWays ? [...seen, await attempt(compare)] : seen
}

test.each(TRAPS)('$name: looking does not spring it, plain git does', async (trap) => {
  using place = new TestFolder()
  const trapped = buildTrap(place, innocent, trap)

  const seen = await look(trapped, meetsAllLooks(trap))

  expect(existsSync(trapped.marker), 'the marker').toBe(false)
  expect(seen.filter((answer) => answer instanceof Error)).toEqual([])
  const [repositories, , status] = seen
  expect(repositories).toContain(trapped.repo.path)
  expect(JSON.stringify(status)).toMatch(/"path":"(a\.txt|x|sub\/b\.txt)"/)
  if (trap.control === undefined) return
  if (trap.control.includes('fill')) fillCredentials(trapped.repo)
  else trapped.repo.tryGit(...trap.control)
  expect(existsSync(trapped.marker), 'the marker of the control').toBe(true)
})

test('there are enough traps, and nearly all have a control', ({ task }) => {
  expect(TRAPS.length).toBeGreaterThanOrEqual(50)
  figure(task, { what: 'git traps that run programs × looks', count: TRAPS.length * LOOKS })
  expect(TRAPS.filter(({ control }) => control === undefined).length).toBeLessThanOrEqual(3)
})

function fillCredentials(repo: TestRepo): void {
  try {
    execFileSync('git', ['credential', 'fill'], {
      cwd: repo.path,
      input: 'protocol=https\nhost=localhost\n\n',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
  } catch {
    // It fails without an answer, but the helper ran.
  }
}

const FOR_THE_WEAK = ['core.hooksPath in the files', 'filter.x.clean', 'filter.x.process']
const HARMLESS = 'core.fsmonitor'

describe('a wrapper that only sets core.fsmonitor=false', () => {
  afterEach(() => {
    vi.doUnmock('../src/repos/git/git-view.js')
    vi.resetModules()
  })

  test('is caught', async () => {
    vi.resetModules()
    vi.doMock('../src/repos/git/git-view.js', () => ({ openGitView: openWeakView }))
    const sprung: string[] = []
    for (const trap of TRAPS.filter(({ name }) => [...FOR_THE_WEAK, HARMLESS].includes(name))) {
      using place = new TestFolder()
      const trapped = buildTrap(place, innocent, trap)
      await look(trapped, true)
      if (existsSync(trapped.marker)) sprung.push(trap.name)
    }
    expect(sprung.toSorted()).toEqual(FOR_THE_WEAK)
  })
})

async function openWeakView(workTree: string) {
  const run = (args: readonly string[], input?: Buffer) =>
    new Promise<Buffer>((resolve, reject) => {
      const child = execFile(
        'git',
        ['-c', 'core.fsmonitor=false', ...args],
        { cwd: workTree, encoding: 'buffer' },
        (error, stdout) => (error ? reject(new GitError('failed')) : resolve(stdout)),
      )
      child.stdin?.end(input)
    })
  const line = async (args: readonly string[]) => (await run(args)).toString().trim()
  return { workTree, run, line, [Symbol.asyncDispose]: async () => {} }
}

const WRONG_PATHS = [
  '-x',
  '--output=pwned',
  '../a',
  '/etc/passwd',
  'a/../../b',
  '.git/config',
  '\0',
  ':(top)*',
]

describe('files outside', () => {
  test('core.worktree does not lead the look elsewhere', async () => {
    using place = new TestFolder()
    const secret = place.repo('secret')
    mkdirSync(secret.path)
    secret.write('secret.txt', 'hidden\n')
    const repo = place.repo('repo').init().write('a.txt', 'a\n').commit()
    repo.git('config', 'core.worktree', secret.path)

    const { listFiles } = await import('../src/repos/repo-files.js')
    const { readDiff } = await import('../src/repos/repo-status.js')

    expect(await listFiles(repo.path)).toEqual(['a.txt'])
    expect((await readDiff(repo.path)).files).toEqual([])
  })

  test('an index with a path that leads out is not followed', async () => {
    using place = new TestFolder()
    place.repo('.').write('secret', 'hidden\n')
    const repo = place.repo('repo').init().write('aa/secret', 'a\n').commit()
    renameInIndex(repo.at('.git/index'), 'aa/secret', '../secret')

    const { listFiles } = await import('../src/repos/repo-files.js')
    const { readDiff, readStatus } = await import('../src/repos/repo-status.js')
    const seen = await Promise.all([
      readStatus(repo.path),
      readDiff(repo.path).catch((error: unknown) => String(error)),
      listFiles(repo.path),
    ])

    expect(JSON.stringify(seen)).not.toContain('hidden')
    expect(JSON.stringify(seen)).not.toContain('"../secret"')
  })

  test('links in the files are links, not what they lead to', async () => {
    using place = new TestFolder()
    place.repo('.').write('secret', 'hidden\n').write('secrets/one', 'hidden\n')
    const repo = place.repo('repo').init().write('dir/one', 'a\n').commit().remove('dir')
    symlinkSync('../secret', repo.at('link'))
    symlinkSync('../secrets', repo.at('dir'))

    const { readDiff } = await import('../src/repos/repo-status.js')
    const { files } = await readDiff(repo.path)

    expect(JSON.stringify(files)).not.toContain('hidden')
    expect(files.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'A dir',
      'D dir/one',
      'A link',
    ])
  })

  test('the environment of the hub does not reach git', async () => {
    using place = new TestFolder()
    const repo = place.repo('repo').init().write('a.txt', 'a\n').commit().write('a.txt', 'b\n')
    const marker = join(place.path, 'marker')
    const program = place.repo('.').write('program', `#!/bin/sh\ntouch '${marker}'\n`, 0o755)
    vi.stubEnv('GIT_EXTERNAL_DIFF', program.at('program'))
    vi.stubEnv('GIT_DIR', '/nowhere')
    vi.stubEnv('GIT_CONFIG_COUNT', '1')
    vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsmonitor')
    vi.stubEnv('GIT_CONFIG_VALUE_0', program.at('program'))

    const { readDiff } = await import('../src/repos/repo-status.js')
    const { total } = await readDiff(repo.path).finally(() => vi.unstubAllEnvs())

    expect(total).toBe(1)
    expect(existsSync(marker)).toBe(false)
  })

  test('the path of a wish that leads out or is an option has no effect', async () => {
    using place = new TestFolder()
    const repo = place.repo('repo').init().write('a.txt', 'a\n').commit().write('a.txt', 'b\n')
    const { readDiff } = await import('../src/repos/repo-status.js')
    for (const path of WRONG_PATHS) {
      const seen = await readDiff(repo.path, { path }).then(
        ({ total }) => total,
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      )
      expect([0, 'refused'], path).toContain(seen)
      expect(readdirSync(repo.path).toSorted(), path).toEqual(['.git', 'a.txt'])
    }
  })
})

test('a repository of pipes does not hold the hub up', async () => {
  using place = new TestFolder()
  const repo = place.repo('repo').init().write('a.txt', 'a\n').commit()
  for (const name of ['.git/HEAD', '.git/index']) {
    rmSync(repo.at(name))
    execFileSync('mkfifo', [repo.at(name)])
  }
  const { readStatus } = await import('../src/repos/repo-status.js')
  const { findBranch } = await import('../src/repos/scan.js')
  expect(await findBranch(repo.path)).toBeUndefined()
  await expect(readStatus(repo.path)).rejects.toMatchObject({ code: 'not_a_repository' })
})

test('no view is left behind', async () => {
  using place = new TestFolder()
  const repo = place.repo('repo').init().write('a.txt', 'a\n').commit()
  const broken = place.repo('broken').init().write('.git/config', 'no settings')
  const temporary = join(place.path, 'temporary')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const { readDiff } = await import('../src/repos/repo-status.js')

  await readDiff(repo.path)
  await expect(readDiff(broken.path)).rejects.toMatchObject({ code: 'failed' })

  vi.unstubAllEnvs()
  expect(readdirSync(temporary)).toEqual([])
})

/** Both names have the same length; the last 20 bytes are the checksum of the others. */
function renameInIndex(file: string, from: string, to: string): void {
  const bytes = readFileSync(file)
  const body = Buffer.from(bytes.subarray(0, -20))
  body.write(to, body.indexOf(from), 'latin1')
  writeFileSync(file, Buffer.concat([body, createHash('sha1').update(body).digest()]))
}
