// The built program, started once for each of its commands as a real process.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SUBCOMMANDS } from '../src/commands/subcommands.js'
import { CliFolder } from './cli-folder.js'

type Smoke = {
  readonly args?: readonly string[]
  readonly code?: number
  /** Expected on stdout, or on stderr when the exit code is not 0. */
  readonly says: string | RegExp
  /** In a data directory without a hub. */
  readonly isAlone?: boolean
}

const SMOKES: Readonly<Record<string, Smoke>> = {
  start: { code: 1, says: `process ${process.pid}` },
  stop: { isAlone: true, says: '' },
  status: { says: 'sessions  1 idle' },
  logs: { isAlone: true, says: '{"msg":"hello"}\n' },
  run: { args: ['echo hello from a program', '--session', '-'], says: 'hello from a program\n' },
  attach: { args: ['-', '--from', '1'], says: 'seen before\n' },
  send: { args: ['-', 'echo sent', '--json'], says: '"queued":false' },
  sessions: { says: 'demo' },
  undo: { args: ['-', '--yes'], code: 1, says: 'There is no turn to undo' },
  redo: { args: ['-'], code: 1, says: 'No undo is left to redo' },
  fork: { args: ['unknown'], code: 1, says: 'unknown' },
  workspace: { args: ['merge', '-'], code: 1, says: 'own work tree' },
  repos: { says: 'shop-api' },
  pair: { says: '/#code=' },
  remote: { says: 'Tailscale' },
  token: { says: 'No tokens' },
  hubs: { says: ' here ' },
  service: { args: ['--print'], says: 'start' },
  acp: { says: '' },
  db: { args: ['migrate'], isAlone: true, says: 'applied: 0001_init' },
  backup: { says: 'Backup written and checked' },
  restore: { args: ['nowhere'], isAlone: true, code: 1, says: 'There is no backup at' },
  doctor: { says: /^✓ Node \d+/ },
  agents: { says: /^demo +installed/m },
  wire: { args: ['-', '--dir', 'out'], says: 'session/prompt' },
  api: { args: ['access/me'], says: '"scope": "admin"' },
  completion: { args: ['bash'], says: 'complete -o default -F _quayside quayside' },
}

let folder: CliFolder
let alone: string
beforeAll(async () => {
  folder = new CliFolder()
  const hub = await folder.startHub()
  await (await hub.createSession()).run('echo seen before')
  alone = join(folder.path, 'alone')
  mkdirSync(alone, { mode: 0o700 })
  writeFileSync(join(alone, 'hub.log'), '{"msg":"hello"}\n')
})
afterAll(() => folder[Symbol.asyncDispose]())

test('no command is left out', () => {
  expect(Object.keys(SMOKES)).toEqual(Object.keys(SUBCOMMANDS))
})

test.each(Object.entries(SMOKES))('%s', async (name, { args = [], code = 0, says, isAlone }) => {
  const env = isAlone ? { QUAYSIDE_DATA_DIR: alone } : {}
  const child = folder.spawn([name, ...args], { env })
  child.process.stdin.end()
  const ended = await child.ended
  expect(ended, ended.output).toMatchObject({ code })
  expect(code === 0 ? ended.stdout : ended.stderr).toMatch(says)
})
