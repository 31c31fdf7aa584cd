// Commands use their CommandIo instead of the process.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Members of the process that a command must not use. */
const FORBIDDEN =
  /\bprocess\.(argv|chdir|cwd|env|exit|exitCode|off|on|once|stderr|stdin|stdout)\b|\}\s*=\s*process\b/

test('a command has streams, environment, folder and signals from its io, not from the process', () => {
  const commands = join(import.meta.dirname, '..')
  const files = readdirSync(commands, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const uses = files.flatMap((name) =>
    readFileSync(join(commands, name), 'utf8')
      .split('\n')
      .flatMap((line, at) => (FORBIDDEN.test(line) ? [`${name}:${at + 1}: ${line}`] : [])),
  )
  expect(files).toContain('run-cli.ts')
  expect(uses).toEqual([])
})
