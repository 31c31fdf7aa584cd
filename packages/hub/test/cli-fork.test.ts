// `quayside fork`: prints the id of a new session that has the history of another one.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'

let folder: CliFolder
beforeAll(async () => {
  folder = new CliFolder()
  await folder.startHub()
})
afterAll(() => folder[Symbol.asyncDispose]())

test('a fork is named by its id, has the files, and takes the next prompt', async () => {
  await folder.run(['run', 'edit first.txt', '--allow', 'edits'])
  const { stdout, stderr } = await folder.run(['fork', '-', '--title', 'Another way'])
  expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/)
  expect(stderr).toContain('Branch quayside/another-way in ')
  const told = await folder.run(['run', 'recall', '--session', stdout.trim()])
  expect(told.stdout).toContain('edit first.txt')

  const answer = await folder.run(['fork', stdout.trim(), '--json'])
  const { workspace, forkedFrom } = JSON.parse(answer.stdout) as SessionSummary
  expect(forkedFrom?.sessionId).toBe(stdout.trim())
  expect(existsSync(join(workspace?.path ?? '', 'first.txt'))).toBe(true)
})

test('an unknown turn is refused with a sentence', async () => {
  await folder.run(['run', 'echo hello'])
  const refused = await folder.run(['fork', '-', '--turn', 'unknown'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('No such prompt') })
})
