// Which paths of a repository decide what runs, however they are spelled.
import { expect, test } from 'vitest'
import { isGitPath, isSensitivePath } from './sensitive-paths.js'

const SENSITIVE = [
  '.git',
  '.git/config',
  '.git/hooks/pre-commit',
  '.GIT/config',
  '.Git/Hooks/post-checkout',
  'vendor/lib/.git/config',
  '.g\u200cit/config',
  '\ufeff.git/HEAD',
  'mirror.git/hooks/update',
  '.githooks/pre-push',
  '.husky/pre-commit',
  '.gemini/settings.json',
  'packages/web/.claude/settings.local.json',
  '.Claude/hooks.json',
  '.mcp.json',
  'deep/down/.MCP.json',
  '.cursor/mcp.json',
  '.vscode/tasks.json',
  '.codex/config.toml',
  '.qwen/settings.json',
  '.opencode/plugin.ts',
  'opencode.json',
  'opencode.jsonc',
  '.envrc',
  'sub/.envrc',
]

const HARMLESS = [
  'README.md',
  '.gitignore',
  '.github/workflows/ci.yml',
  'src/git/config.ts',
  'gemini/settings.json',
  'claude.md',
  'mcp.json',
  'src/hooks/use-feed.ts',
  'git/hooks/pre-commit.md',
  '.env.example',
  'opencode.json.bak',
  '.vscode-test/x',
  'a.git.txt',
  '',
]

test.each(SENSITIVE)('%j is asked about', (path) => {
  expect(isSensitivePath(path)).toBe(true)
})

test.each(HARMLESS)('%j is not asked about', (path) => {
  expect(isSensitivePath(path)).toBe(false)
})

test('a path belongs to git when any of its names is .git', () => {
  expect(SENSITIVE.filter(isGitPath)).toEqual(SENSITIVE.slice(0, 8))
  expect(HARMLESS.filter(isGitPath)).toEqual([])
})
