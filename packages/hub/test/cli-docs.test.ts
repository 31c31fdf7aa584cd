// The examples of docs/cli.md, run in order in one folder, print what the page shows.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAMS } from '../src/places.js'
import { CliFolder } from './cli-folder.js'

const PAGE = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm)].map(
  ([, commands = '', output = '']) => ({ commands, output }),
)

let folder: CliFolder
beforeAll(() => {
  folder = new CliFolder({ GEMINI_PORT: '0' })
  const bin = join(folder.path, 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'quayside'),
    `#!/bin/sh\nexec '${process.execPath}' '${PROGRAMS.quayside}' "$@"\n`,
  )
  chmodSync(join(bin, 'quayside'), 0o755)
  folder.env['PATH'] = `${bin}:${process.env['PATH']}`
})
afterAll(() => folder[Symbol.asyncDispose]())

test('the page has examples, and each shows what it prints', () => {
  expect(EXAMPLES.length).toBeGreaterThan(8)
  expect(EXAMPLES).toHaveLength([...PAGE.matchAll(/^```sh$/gm)].length)
})

test.each(EXAMPLES)('$commands', async ({ commands, output }) => {
  const shell = spawn('bash', ['-c', commands], { cwd: folder.repo, env: folder.env })
  shell.stdin.end()
  const [stdout, stderr] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ])
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: expect.any(String) })
})
