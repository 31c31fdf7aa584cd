// `quayside run` without a running hub: it starts a temporary one and leaves only the session behind.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionList } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'

let folder: CliFolder
beforeAll(() => {
  folder = new CliFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

test('stdout is the answer and nothing else, and no hub is left behind', async () => {
  const { code, stdout, stderr } = await folder.spawn(['run', 'echo Hello, world']).ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello, world\n' })
  expect(stderr).toContain('demo · shop-api (')
  expect(stderr).toContain('✓ done')
  expect(stderr).not.toContain('\u001B')
  expect(existsSync(join(folder.path, 'data', 'hub.json'))).toBe(false)
})

test('a session continues with its memory', async () => {
  await folder.run(['run', 'echo first'])
  const { stdout } = await folder.run(['run', 'recall', '--session', '-'])
  expect(stdout).toContain('echo first')
  const listed = await folder.run(['sessions', '--json', '--limit', '1'])
  const [newest] = (JSON.parse(listed.stdout) as SessionList).sessions
  expect(newest).toMatchObject({ status: 'completed', turnCount: 2 })
})

test('a permission without a terminal ends it with 3 and prints what to do', async () => {
  const { code, stdout, stderr } = await folder.run(['run', 'edit note.txt'])
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toContain('edit')
  expect(stderr).toContain('--allow')
  expect(existsSync(join(folder.repo, 'note.txt'))).toBe(false)
})

test('outside a repository it reports so', async () => {
  const cwd = join(folder.path, 'empty')
  mkdirSync(cwd)
  const { code, stderr } = await folder.run(['run', 'hi'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('--repo')
  const named = await folder.run(['run', 'cwd', '--repo', folder.repo], { cwd })
  expect(named.stdout).toContain(`session ${folder.repo}`)
})

test('the second Ctrl-C leaves at once', async () => {
  const child = folder.spawn(['run', 'stubborn'])
  await child.until('the first of the answer', () => child.stdout !== '')
  child.process.kill('SIGINT')
  await child.untilSaid('again')
  child.process.kill('SIGINT')
  expect(await child.ended).toMatchObject({ code: 4 })
})

test('run --detach needs a running hub', async () => {
  const { code, stderr } = await folder.run(['run', 'hi', '--detach'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('quayside start --daemon'),
  })
  expect(await folder.run(['status'])).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('No hub is running'),
  })
})

test('without a hub there is nothing to attach or send to', async () => {
  for (const args of [['attach', '-'], ['send', '-', 'hi'], ['pair']]) {
    const { code, stderr } = await folder.run(args)
    expect({ args, code, stderr }).toEqual({
      args,
      code: 7,
      stderr: expect.stringContaining('npm run -s quayside -- start --daemon'),
    })
  }
})
