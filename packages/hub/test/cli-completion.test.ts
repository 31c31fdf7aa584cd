// Completion in shells: the words that may follow, and the script for bash in a real one.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAMS } from '../src/places.js'
import { CliFolder } from './cli-folder.js'

let folder: CliFolder
let id: string
beforeAll(async () => {
  folder = new CliFolder()
  const hub = await folder.startHub({ sharesAgent: false })
  id = (await hub.createSession()).id
})
afterAll(() => folder[Symbol.asyncDispose]())

async function complete(...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `:${word}`)
  const { stdout } = await folder.run(['completion', 'words', ...typed])
  return stdout.split('\n').slice(0, -1)
}

test('commands, options and choices are completed', async () => {
  expect(await complete('sess')).toEqual(['sessions'])
  expect(await complete('sessions', 'un')).toEqual(['unarchive'])
  expect(await complete('sessions', '--st')).toEqual(['--state'])
  expect(await complete('sessions', 'export', '-', '--f')).toEqual(['--format'])
  expect(await complete('run', 'hi', '--allow', '')).toEqual(['reads', 'edits', 'all'])
  expect(await complete('run', '--help')).toEqual([])
  expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish', 'help'])
})

test('ids of sessions, agents and repositories are completed where they belong', async () => {
  const short = id.slice(-6)
  expect(await complete('attach', '')).toEqual([short])
  expect(await complete('sessions', 'show', '--json', short.slice(0, 3))).toEqual([short])
  expect(await complete('run', 'hi', '--session', '')).toEqual([short])
  expect(await complete('run', '--agent', 'dem')).toEqual(['demo'])
  expect(await complete('agents', 'probe', 'dem')).toEqual(['demo'])
  expect(await complete('run', '--repo', '')).toEqual(['shop-api'])
  expect(await complete('send', short, '')).toEqual([])
})

test('the script works in bash', async () => {
  const { stdout: script } = await folder.run(['completion', 'bash'])
  const bin = join(folder.path, 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'quayside'),
    `#!/bin/sh\nexec "${process.execPath}" "${PROGRAMS.quayside}" "$@"\n`,
  )
  chmodSync(join(bin, 'quayside'), 0o755)
  const typing =
    'COMP_WORDS=(quayside sessions ren); COMP_CWORD=2; _quayside; echo "${COMPREPLY[@]}"'
  const printed = execFileSync('bash', ['-c', `${script}\n${typing}`], {
    env: { ...folder.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    encoding: 'utf8',
  })
  expect(printed).toBe('rename\n')
})
