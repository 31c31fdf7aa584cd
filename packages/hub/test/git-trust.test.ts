// The agent configuration of a repository: the files a person is asked about, and changes of the hash.
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Extensions } from '../src/agents/extensions/extensions.js'
import { SHIPPED_EXTENSIONS } from '../src/places.js'
import { readAgentConfig } from '../src/repos/trust.js'
import { TestFolder } from './git-fixture.js'

/** Of all shipped agents. */
const PATHS = new Extensions([SHIPPED_EXTENSIONS], pino({ level: 'silent' })).configPaths

async function hashOf(repoPath: string): Promise<string> {
  return (await readAgentConfig(repoPath, PATHS)).hash
}

test('configuration of agents is listed, other files are not', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').write('AGENTS.md', 'x').write('src/a.ts', 'x')
  repo
    .write('.gemini/settings.json', '{}')
    .write('.claude/hooks/pre.sh', 'x')
    .write('.mcp.json', '')
  repo.write('opencode.jsonc', '{}').write('.claude/worktrees/x/big', 'x').write('.codex/a', 'x')
  const { files, isComplete } = await readAgentConfig(repo.path, PATHS)
  expect(files).toEqual([
    '.claude/hooks/pre.sh',
    '.codex/a',
    '.gemini/settings.json',
    '.mcp.json',
    'opencode.jsonc',
  ])
  expect(isComplete).toBe(true)
})

test('the hash changes with names and contents, and with nothing else', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').write('.gemini/settings.json', '{}').write('a.txt', 'a')
  const hash = await hashOf(repo.path)
  expect(await hashOf(repo.write('a.txt', 'b').path)).toBe(hash)
  const changed = await hashOf(repo.write('.gemini/settings.json', '[]').path)
  expect(changed).not.toBe(hash)
  expect(await hashOf(repo.write('.gemini/.env', '').path)).not.toBe(changed)
  repo.remove('.gemini/.env').write('.gemini/settings.json', '{}')
  expect(await hashOf(repo.path)).toBe(hash)
})

test('the target of a link counts, because an agent follows it', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').write('innocent.json', '{}').write('.claude/keep', '')
  symlinkSync('../innocent.json', repo.at('.claude/settings.json'))
  const hash = await hashOf(repo.path)
  expect(await hashOf(repo.write('innocent.json', '[]').path)).not.toBe(hash)
})

test('configuration between the repository and the folder an agent works in counts', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').write('packages/web/.gemini/settings.json', '{}')
  expect((await readAgentConfig(repo.path, PATHS)).files).toEqual([])
  expect((await readAgentConfig(repo.path, PATHS, repo.at('packages/web'))).files).toEqual([
    'packages/web/.gemini/settings.json',
  ])
  expect((await readAgentConfig(repo.path, PATHS, '/etc')).files).toEqual([])
})

test('configuration that cannot be read completely has a new hash each time', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').write('.claude/keep', '')
  symlinkSync('.', repo.at('.claude/loop'))
  expect((await readAgentConfig(repo.path, PATHS)).isComplete).toBe(false)
  expect(await hashOf(repo.path)).not.toBe(await hashOf(repo.path))
})

test('a pipe does not hold the hub up', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').write('.claude/keep', '')
  execFileSync('mkfifo', [repo.at('.claude/pipe')])
  expect((await readAgentConfig(repo.path, PATHS)).files).toEqual(['.claude/keep', '.claude/pipe'])
})
