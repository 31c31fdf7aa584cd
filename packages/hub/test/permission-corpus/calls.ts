// Tool calls of all kinds, judged in auto mode and by rules for kinds and paths.
import type { CorpusGroup } from './corpus-group.js'

const at = (...paths: string[]) => paths.map((path) => ({ path }))
const diff = (path: string, newText = 'x') => ({ type: 'diff', path, oldText: null, newText })
const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } })

const READS = ['read', 'search', 'think'].map((kind) => ({ action: 'allow', kind }) as const)
const EDITS = [...READS, ...['edit', 'move'].map((kind) => ({ action: 'allow', kind }) as const)]

const autoMode: readonly CorpusGroup[] = [
  {
    about: 'auto mode: commands that stay in the repository',
    permissions: { mode: 'auto' },
    allow: [
      'npm test',
      'npm run build && npm test',
      'git commit -m "fix: the parser"',
      'git push origin main',
      'ls -la src docs',
      'cat /repo/src/a.ts',
      'node scripts/build.mjs --out=dist',
      'grep -rn "TODO" src | head -20',
      'cd /repo/packages/hub && npx tsc -b',
      'npm test > /dev/null 2>&1',
      '/usr/bin/env node x.js',
      '/bin/bash -lc "npm test"',
      'curl https://example.com/data.json',
      'git clone https://github.com/me/tool.git',
      'git diff HEAD~1 -- src/a.ts',
      'git log origin/main..HEAD',
      'rm -rf dist',
      'NODE_ENV=test npm test',
      "sed -i 's/a/b/' src/a.ts",
      'docker compose up -d',
    ],
    ask: [
      'cat /root/.ssh/id_rsa',
      'cat ~/.aws/credentials',
      'cat $HOME/.netrc',
      'cp src/a.ts /etc/cron.d/a',
      'cd .. && rm -rf other',
      'tar czf /tmp/all.tgz .',
      'npm --prefix=/home/me/other test',
      'echo evil >> .git/hooks/pre-commit',
      'cp x .vscode/tasks.json',
      'tee .husky/pre-push < x',
      'cat ../secret',
      'cat src/../../secret',
      'echo x > "$CONFIG/settings.json"',
      "echo 'alias ls=rm' >> ~root/.profile",
    ],
  },
  {
    about: 'auto mode: edits, moves and reads',
    permissions: { mode: 'auto' },
    allow: [
      { kind: 'edit', title: 'Edit src/a.ts', locations: at('/repo/src/a.ts') },
      { kind: 'edit', title: 'Edit a.ts', content: [diff('/repo/src/a.ts')] },
      { kind: 'edit', title: 'Edit files', locations: at('/repo/a', '/repo/b') },
      { kind: 'edit', rawInput: { file_path: '/repo/src/a.ts', content: 'one\ntwo\n' } },
      { kind: 'edit', rawInput: { path: 'src/a.ts', new_string: 'see /etc/hosts for this' } },
      { kind: 'edit', rawInput: { changes: { '/repo/src/a.ts': { type: 'update' } } } },
      { kind: 'edit', rawInput: { patch: '*** Begin Patch\n*** Update File: src/a.ts\n+x' } },
      { kind: 'delete', title: 'Delete dist', locations: at('/repo/dist') },
      { kind: 'move', rawInput: { from: 'a.ts', to: 'src/a.ts' } },
      { kind: 'read', title: 'Read src/a.ts:10', locations: at('src/a.ts') },
      { kind: 'search', title: "Search 'TODO'", rawInput: { pattern: 'TODO', path: '/repo' } },
      { kind: 'fetch', title: 'Fetch', rawInput: { url: 'https://example.com/a/../b' } },
      { kind: 'think', title: 'Thinking' },
      { kind: 'other', title: 'Set 3 todo(s)' },
      { kind: 'other', title: 'search (docs MCP server)', rawInput: { query: 'how to' } },
    ],
    ask: [
      {},
      { status: 'completed', kind: 'edit', title: 'Edit a', locations: at('/repo/a') },
      { kind: 'edit', title: 'Edit a file' },
      { kind: 'delete' },
      { kind: 'edit', locations: at('/repo/.vscode/tasks.json') },
      { kind: 'edit', content: [diff('/repo/.git/config')] },
      { kind: 'edit', rawInput: { file_path: '/repo/.vscode/tasks.json' } },
      { kind: 'edit', rawInput: { edits: [{ target: '.husky/pre-commit' }] } },
      { kind: 'edit', rawInput: { filename: '.envrc' } },
      { kind: 'edit', title: 'Edit .vscode/tasks.json', locations: at('/repo/src/a.ts') },
      { kind: 'edit', title: 'Write `/root/.bashrc`', locations: at('/repo/src/a.ts') },
      { kind: 'edit', rawInput: { changes: { '/repo/.claude/settings.json': {} } } },
      { kind: 'edit', rawInput: { patch: '*** Begin Patch\n*** Add File: .envrc\n+x' } },
      { kind: 'edit', rawInput: { path: 'a', patch: '--- a/x\n+++ b/.idea/workspace.xml\n' } },
      { kind: 'edit', locations: at('/root/.bashrc') },
      { kind: 'edit', locations: at('/repository-of-another/a') },
      { kind: 'edit', rawInput: { uri: 'file:///etc/passwd' } },
      { kind: 'read', locations: at('/root/.ssh/id_rsa') },
      { kind: 'other', title: 'tool', rawInput: { deep: [{ er: '/etc/shadow' }] } },
      { kind: 'move', rawInput: { from: 'a', to: '../b' } },
      { kind: 'edit', locations: at(...Array.from({ length: 201 }, (_, n) => `/repo/${n}`)) },
      { kind: 'other', title: 'x'.repeat(5_000), rawInput: {} },
    ],
  },
]

const kindRules: readonly CorpusGroup[] = [
  {
    about: 'reads are allowed',
    permissions: { rules: READS },
    allow: [
      { kind: 'read', title: 'Read src/a.ts', locations: at('/repo/src/a.ts') },
      { kind: 'read', title: 'Read a.ts', rawInput: { file_path: '/repo/src/a.ts', limit: 20 } },
      { kind: 'read', title: 'Read', content: [text('the first lines')], locations: at('a') },
      { kind: 'search', title: 'Find **/*.ts', rawInput: { pattern: '**/*.ts' } },
      { kind: 'search', title: 'grep foo', rawInput: { pattern: 'foo', include: 'src/*' } },
      { kind: 'think', title: 'Plan the change' },
      { kind: 'read', rawInput: { paths: ['src/a.ts', 'src/b.ts'] } },
      { kind: 'read', rawInput: { path: '/repo' } },
    ],
    ask: [
      { kind: 'read', locations: at('/repo/a'), content: [diff('/repo/a')] },
      { kind: 'read', locations: at('/repo/a'), rawInput: { command: 'rm -rf x' } },
      { kind: 'search', rawInput: { command: ['rg', 'foo'] } },
      { kind: 'think', title: 'Plan', rawInput: { cmd: 'curl x | sh' } },
      { kind: 'read', locations: at('/root/.ssh/id_rsa') },
      { kind: 'read', rawInput: { file_path: '~/.ssh/id_rsa' } },
      { kind: 'read', title: 'Read /etc/passwd' },
      { kind: 'read', locations: at('/repo/../other/a') },
      { kind: 'edit', locations: at('/repo/a') },
      { kind: 'other', title: 'Read a' },
      'cat src/a.ts',
    ],
  },
  {
    about: 'edits are allowed',
    permissions: { rules: EDITS },
    allow: [
      { kind: 'edit', title: 'Edit a.ts', content: [diff('/repo/src/a.ts')] },
      { kind: 'edit', title: 'Write docs/b.md', rawInput: { path: 'docs/b.md', content: 'b' } },
      { kind: 'move', rawInput: { source_path: 'a', destination: 'b' } },
      { kind: 'edit', rawInput: { command: 'str_replace', path: '/repo/a', old_str: 'a' } },
      { kind: 'read', locations: at('/repo/a') },
      { kind: 'edit', title: 'notes.txt: a => b', locations: at('/repo/notes.txt') },
    ],
    ask: [
      { kind: 'edit', locations: at('/root/.bashrc') },
      { kind: 'edit', content: [diff('/repo/a'), diff('/etc/hosts')] },
      { kind: 'edit', locations: at('/repo/.zed/tasks.json') },
      { kind: 'delete', locations: at('/repo/a') },
      { kind: 'edit' },
      'touch a',
    ],
  },
  {
    about: 'commands are denied in auto mode',
    permissions: { mode: 'auto', rules: [{ action: 'deny', kind: 'execute' }] },
    allow: [
      { kind: 'edit', locations: at('/repo/a') },
      { kind: 'read', locations: at('/repo/a') },
      { kind: 'fetch', rawInput: { url: 'https://example.com' } },
      { kind: 'other', title: 'Set 3 todo(s)' },
    ],
    ask: [
      { kind: 'other', title: 'Shell', rawInput: { command: 'rm -rf x' } },
      { kind: 'read', title: 'Read', rawInput: { cmd: ['cat', 'a'] } },
    ],
    deny: ['rm -rf x', 'ls', { kind: 'execute' }, { kind: 'execute', title: 'Run the tests' }],
  },
  {
    about: 'edits are denied in auto mode',
    permissions: { mode: 'auto', rules: [{ action: 'deny', kind: 'edit' }] },
    allow: ['npm test', { kind: 'read', locations: at('/repo/a') }],
    ask: [{ kind: 'other', title: 'apply', content: [diff('/repo/a')] }],
    deny: [{ kind: 'edit', locations: at('/repo/a') }, { kind: 'edit' }],
  },
]

const pathRules: readonly CorpusGroup[] = [
  {
    about: 'only src may be edited',
    permissions: { rules: [{ action: 'allow', kind: 'edit', path: 'src/**' }] },
    allow: [
      { kind: 'edit', locations: at('/repo/src/a.ts') },
      { kind: 'edit', locations: at('src/deep/er/a.ts') },
      { kind: 'edit', title: 'Edit er/a.ts', content: [diff('/repo/src/er/a.ts')] },
      { kind: 'edit', title: 'Edit …/er/a.ts', content: [diff('/repo/src/er/a.ts')] },
      { kind: 'edit', title: 'Edit src/a.ts:3', rawInput: { path: 'src/a.ts' } },
      { kind: 'edit', locations: at('/repo/docs/../src/a.ts') },
    ],
    ask: [
      { kind: 'edit', locations: at('/repo/docs/a.md') },
      { kind: 'edit', locations: at('/repo/src/a.ts', '/repo/docs/a.md') },
      { kind: 'edit', locations: at('/repo/src/../package.json') },
      { kind: 'edit', locations: at('/repo/src/a.ts'), rawInput: { path: 'docs/a.md' } },
      { kind: 'edit', title: 'Edit docs/a.md', locations: at('/repo/src/a.ts') },
      { kind: 'edit', locations: at('/repo/src/../../src/a.ts') },
      { kind: 'edit', title: 'Edit src' },
    ],
  },
  {
    about: 'secrets are held back in auto mode',
    permissions: {
      mode: 'auto',
      rules: [
        { action: 'deny', path: 'secrets/**' },
        { action: 'ask', path: '**/*.pem' },
      ],
    },
    allow: [
      { kind: 'read', locations: at('/repo/src/a.ts') },
      { kind: 'edit', locations: at('/repo/src/secrets.ts') },
      'npm test',
      'cat src/secrets/readme.md',
    ],
    ask: [
      { kind: 'read', locations: at('/repo/keys/a.pem') },
      { kind: 'read', title: 'Read a file' },
      'openssl x509 -in keys/a.pem',
    ],
    deny: [
      { kind: 'read', locations: at('/repo/secrets/key') },
      { kind: 'read', locations: at('/repo/secrets/.key') },
      { kind: 'read', rawInput: { file: 'secrets/key' } },
      { kind: 'delete', locations: at('/repo/secrets') },
      { kind: 'read', title: 'Read secrets/key' },
      'cat secrets/key',
      'cat ./secrets/key > out',
      'cat "secrets/key"',
      'cp --target-directory=secrets/new a',
    ],
  },
]

export const CALLS: readonly CorpusGroup[] = [...autoMode, ...kindRules, ...pathRules]
