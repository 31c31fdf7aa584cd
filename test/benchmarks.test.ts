// Every benchmark runs, at tiny sizes: a benchmark that no longer fits the product is noticed here, not months later.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('every benchmark runs to its end', async () => {
  const { stdout } = await run(process.execPath, ['bench/run.mjs', '--smoke'])
  expect(stdout).not.toContain('FAILED')
  for (const name of ['reader', 'relay', 'long', 'page', 'peers'])
    expect(stdout).toContain(`## ${name}: `)
})
