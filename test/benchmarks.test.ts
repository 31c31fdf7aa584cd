// Every benchmark runs, at tiny sizes: a benchmark that no longer fits the product is noticed here, not months later.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)

test('every benchmark runs to its end', async () => {
  const { stdout } = await run(process.execPath, ['bench/run.mjs', '--smoke'])
  expect(stdout).not.toContain('FAILED')
  for (const name of ['reader', 'relay', 'long', 'page', 'peers'])
    expect(stdout).toContain(`## ${name}: `)
})

test('git has nothing left to pack in the background of a measurement', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-bench-repository-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const make = `import { makeRepository } from './bench/hubs/workspace.mjs'
    makeRepository(${JSON.stringify(folder)}, 20)`
  await run(process.execPath, ['--input-type=module', '--eval', make])
  const { stdout } = await run('git', ['count-objects', '-v'], { cwd: folder })
  expect(stdout).toContain('count: 0')
  expect(stdout).toContain('packs: 1')
})
