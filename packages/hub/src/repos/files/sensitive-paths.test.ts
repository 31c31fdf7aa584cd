// Paths that decide what runs are recognised in every spelling.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Extensions } from '../../agents/extensions/extensions.js'
import { SHIPPED_EXTENSIONS } from '../../places.js'
import { isGitPath, isSensitivePath } from './sensitive-paths.js'

const { configPaths } = new Extensions([SHIPPED_EXTENSIONS], pino({ level: 'silent' })).configPaths

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
  '.idea/workspace.xml',
  '.zed/tasks.json',
  '.goose/config.yaml',
  '.clinerules/hooks/PreToolUse',
  '.github/hooks/format.json',
  'packages/web/.GitHub/Hooks/format.json',
]

const HARMLESS = [
  'README.md',
  '.gitignore',
  '.github/workflows/ci.yml',
  'hooks/.github',
  '.github',
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
  expect(isSensitivePath(path, configPaths)).toBe(true)
})

test.each(HARMLESS)('%j is not asked about', (path) => {
  expect(isSensitivePath(path, configPaths)).toBe(false)
})

test('a path belongs to git when any of its names is .git', () => {
  expect(SENSITIVE.filter(isGitPath)).toEqual(SENSITIVE.slice(0, 8))
  expect(HARMLESS.filter(isGitPath)).toEqual([])
})
