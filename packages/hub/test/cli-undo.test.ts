// `quayside undo` and `quayside redo`: the changes are shown before the question, and files go back and forth.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'

let folder: CliFolder
beforeAll(async () => {
  folder = new CliFolder()
  await folder.startHub()
})
afterAll(() => folder[Symbol.asyncDispose]())

const at = (path: string) => join(folder.repo, path)

async function runTurns(...prompts: string[]): Promise<void> {
  await folder.run(['run', prompts[0]!, '--allow', 'edits'])
  for (const prompt of prompts.slice(1)) await folder.run(['run', prompt, '--session', '-'])
}

test('the latest turn with changes is undone after a question that shows them, and redone', async () => {
  await runTurns('edit first.txt', 'echo no change')
  const text = readFileSync(at('first.txt'), 'utf8')
  const screen = folder.start(['undo', '-'], { isTerminal: true })
  await screen.until('Set these files back')
  expect(screen.text).toContain('A first.txt  +')
  expect(existsSync(at('first.txt'))).toBe(true)
  screen.type('y\n')
  expect(await screen.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Restored 1 file.'),
  })
  expect(existsSync(at('first.txt'))).toBe(false)
  expect(await folder.run(['undo', '-', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no turn to undo'),
  })

  const redone = await folder.run(['redo', '-', '--json'])
  expect(JSON.parse(redone.stdout)).toEqual({ paths: ['first.txt'], left: [] })
  expect(readFileSync(at('first.txt'), 'utf8')).toBe(text)
  expect((await folder.run(['redo', '-'])).code).toBe(1)
})

test('a file that a person has changed since is named, and overwritten only with --force all', async () => {
  await runTurns('edit second.txt', 'echo no change')
  writeFileSync(at('second.txt'), 'by a person\n')
  const refused = await folder.run(['undo', '-', '--yes'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /Changed since by somebody else:\n {2}second\.txt\n.*--force others/,
  )
  expect(readFileSync(at('second.txt'), 'utf8')).toBe('by a person\n')

  const forced = await folder.run(['undo', '-', '--yes', '--force', 'all'])
  expect(forced).toMatchObject({ code: 0, stderr: 'Restored 1 file.\n' })
  expect(existsSync(at('second.txt'))).toBe(false)
})
