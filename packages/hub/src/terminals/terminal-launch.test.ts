import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type CreateTerminal, resolveTerminal } from './terminal-launch.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-launch-')))
afterAll(() => rmSync(folder, { recursive: true }))
const repo = join(folder, 'repo')
mkdirSync(join(repo, 'src'), { recursive: true })
mkdirSync(join(folder, 'repo-evil'))
writeFileSync(join(repo, 'a file'), '')
writeFileSync(join(repo, 'my tool'), '#!/bin/sh\n', { mode: 0o755 })
symlinkSync(folder, join(repo, 'way-out'))
symlinkSync(join(repo, 'src'), join(repo, 'way-in'))

function resolve(request: Partial<CreateTerminal>, env: Record<string, string> = {}) {
  const base = { PATH: '/usr/bin:/bin', BASE: 'base', ...env }
  return resolveTerminal({ command: 'ls', ...request }, { cwd: repo, env: base })
}

test('a program with arguments is run as it is, in the repository', async () => {
  expect(await resolve({ command: 'git', args: ['log', '--format=$(id)'] })).toMatchObject({
    program: 'git',
    args: ['log', '--format=$(id)'],
    cwd: repo,
    outputByteLimit: 1024 * 1024,
  })
})

test('null means absent, as some agents write it', async () => {
  const nothing = { args: null, env: null, cwd: null, outputByteLimit: null }
  expect(await resolve(nothing)).toEqual(await resolve({}))
})

test.each(['ls -la && cat x', 'ls;pwd', 'echo $HOME', 'exit\t3', '"quoted"'])(
  'the shell line %s goes to a shell',
  async (command) => {
    for (const args of [undefined, null, []])
      expect(await resolve({ command, ...(args === undefined ? {} : { args }) })).toMatchObject({
        program: '/bin/sh',
        args: ['-c', command],
      })
  },
)

test('a program whose name has a space is no shell line', async () => {
  const program = join(repo, 'my tool')
  expect(await resolve({ command: program })).toMatchObject({ program, args: [] })
  expect(await resolve({ command: './my tool' })).toMatchObject({ program: './my tool', args: [] })
  expect(await resolve({ command: 'my tool' }, { PATH: repo })).toMatchObject({ args: [] })
  expect(await resolve({ command: 'my tool' })).toMatchObject({ program: '/bin/sh' })
})

test('a plain name and a command with arguments never go to a shell', async () => {
  expect(await resolve({ command: 'no-such-program' })).toMatchObject({ args: [] })
  expect(await resolve({ command: 'a b', args: ['c'] })).toMatchObject({ program: 'a b' })
})

test('the folder is what the path resolves to', async () => {
  expect((await resolve({ cwd: join(repo, 'way-in') })).cwd).toBe(join(repo, 'src'))
  expect((await resolve({ cwd: join(repo, 'src', '..') })).cwd).toBe(repo)
})

test.each([
  ['relative', 'src'],
  ['above', folder],
  ['above with dots', join(repo, 'src') + '/../..'],
  ['a neighbour with the same beginning', join(folder, 'repo-evil')],
  ['a link that leads out', join(repo, 'way-out')],
  ['through a link that leads out', join(repo, 'way-out', 'repo-evil')],
  ['missing', join(repo, 'nowhere')],
])('a folder that is %s is refused', async (_, cwd) => {
  await expect(resolve({ cwd })).rejects.toMatchObject({ code: 'outside' })
})

test('a file is no folder to work in', async () => {
  await expect(resolve({ cwd: join(repo, 'a file') })).rejects.toMatchObject({ code: 'invalid' })
})

test('variables are added to the base and may replace it', async () => {
  const env = [
    { name: 'BASE', value: 'mine' },
    { name: '__proto__', value: 'odd' },
  ]
  const launch = await resolve({ env })
  expect(Object.entries(launch.env)).toEqual([
    ['PATH', '/usr/bin:/bin'],
    ['BASE', 'mine'],
    ['__proto__', 'odd'],
  ])
})

test.each([
  ['an empty command', { command: ' ' }],
  ['a NUL in the command', { command: 'l\0s' }],
  ['a NUL in an argument', { args: ['\0'] }],
  ['an empty variable name', { env: [{ name: '', value: 'x' }] }],
  ['a = in a variable name', { env: [{ name: 'A=B', value: 'x' }] }],
  ['a NUL in a variable name', { env: [{ name: 'A\0', value: 'x' }] }],
  ['a NUL in a value', { env: [{ name: 'A', value: '\0' }] }],
  ['a negative limit', { outputByteLimit: -1 }],
  ['half a byte', { outputByteLimit: 0.5 }],
])('%s is invalid', async (_, request) => {
  await expect(resolve(request)).rejects.toMatchObject({ code: 'invalid' })
})

test('nobody gets more than 16 MiB of output', async () => {
  expect((await resolve({ outputByteLimit: 2 ** 60 })).outputByteLimit).toBe(16 * 1024 * 1024)
  expect((await resolve({ outputByteLimit: 0 })).outputByteLimit).toBe(0)
})
