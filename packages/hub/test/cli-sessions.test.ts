// The commands for one session: find, show, rename, archive, export, remove, and its wire.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { SessionDetail, SessionList, WireFrame } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'

/** More than the hub keeps in memory. */
const FLOOD = 20_000

let folder: CliFolder
let id: string
beforeAll(async () => {
  folder = new CliFolder()
  await folder.startHub({ sharesAgent: false })
  const detached = await folder.run(['run', 'echo Hello', '--detach'])
  expect(detached).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
  id = detached.stdout.trim()
  await folder.run(['attach', id])
})
afterAll(() => folder[Symbol.asyncDispose]())

async function listed(...flags: string[]): Promise<string[]> {
  const { stdout } = await folder.run(['sessions', ...flags, '--json'])
  return (JSON.parse(stdout) as SessionList).sessions.map((session) => session.id)
}

async function shown(name: string): Promise<Omit<SessionDetail, 'messages'>> {
  const { stdout } = await folder.run(['sessions', 'show', name, '--json'])
  return JSON.parse(stdout) as SessionDetail
}

test('a session is listed by its repository, its agent and by what it is doing', async () => {
  expect(await listed('--repo', '.', '--state', 'idle')).toEqual([id])
  expect(await listed('--agent', 'demo')).toEqual([id])
  expect(await listed('--agent', 'gemini')).toEqual([])
  expect(await listed('--state', 'completed,waiting')).toEqual([])
  expect(await folder.run(['sessions', '--state', 'odd'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('working'),
  })
  expect((await folder.run(['sessions', '--repo', 'elsewhere'])).code).toBe(1)
})

test('at a terminal sessions are a table with short ids and relative times, elsewhere plain columns', async () => {
  const screen = folder.start(['sessions'], { isTerminal: true })
  await screen.ended
  const [head, row] = stripVTControlCharacters(screen.stdout).split('\n')
  expect(head).toMatch(/^ID +STATE +TITLE +REPOSITORY +AGENT +CHANGED$/)
  expect(row).toMatch(/^[0-9a-f]{6} +idle +.* +shop-api +demo +(just now|\d+ min ago)$/)
  expect(await shown(row!.slice(0, 6))).toMatchObject({ id })
  const { stdout } = await folder.run(['sessions'])
  expect(stdout).toMatch(new RegExp(`^${id}  idle +demo +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d`))
})

test('a text is found in the conversation of a session, newest first', async () => {
  const { code, stdout } = await folder.run(['sessions', 'find', id, 'HELL'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ +\d+ {2}agent {7}Hello\n +\d+ {2}user {8}echo Hello\n$/)
  const json = await folder.run(['sessions', 'find', '-', 'hello', '--limit', '1', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ places: [{ type: 'text', count: 1 }] })
  expect(await folder.run(['sessions', 'find', '-', 'absent'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'No match.\n',
  })
})

test('times for people are local and say how long ago', async () => {
  const { stdout } = await folder.run(['sessions', 'show', '-'])
  expect(stdout).toMatch(/changed +\d{4}-\d\d-\d\d \d\d:\d\d \((just now|\d+ min ago)\)/)
})

test('a session that was renamed is found by its title, and by the beginning of its id', async () => {
  expect((await folder.run(['sessions', 'rename', '-', 'Checkout test'])).code).toBe(0)
  expect(await shown('Checkout test')).toMatchObject({ id, repo: { name: 'shop-api' } })
  expect(await folder.run(['sessions', 'show', 'chekout test'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean "Checkout test"?'),
  })
  expect(await shown(id.slice(0, 18))).toMatchObject({ title: 'Checkout test' })
  const { stdout } = await folder.run(['sessions', 'show', '-'])
  expect(stdout).toContain('Checkout test')
  expect(stdout).toContain(`/s/${id}`)
  const next = await folder.run(['run', 'recall', '--session', 'Checkout test'])
  expect(next.stdout).toContain('echo Hello')
})

test('a session is found by the end of its id, and an ambiguous beginning lists the candidates', async () => {
  const { stdout } = await folder.run(['run', 'echo Beside it', '--detach'])
  const other = stdout.trim()
  expect((await shown(other.slice(-6))).id).toBe(other)
  expect((await shown(id.slice(-6))).id).toBe(id)
  // The first characters are the same for days.
  const { code, stderr } = await folder.run(['sessions', 'show', id.slice(0, 4)])
  expect(code).toBe(1)
  expect(stderr).toContain('Several sessions match')
  expect(stderr).toContain(`  ${id}  Checkout test\n`)
  expect(stderr).toContain(`  ${other}`)
  await folder.run(['sessions', 'rm', other.slice(-6), '--yes'])
  expect(await listed()).toEqual([id])
})

test('an archived session is in its own list until it is unarchived', async () => {
  await folder.run(['sessions', 'archive', id])
  expect(await listed()).toEqual([])
  expect(await listed('--archived')).toEqual([id])
  expect(await folder.run(['send', id, 'echo hi'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`quayside sessions unarchive ${id}`),
  })
  await folder.run(['sessions', 'unarchive', id])
  expect(await listed()).toEqual([id])
})

test('an export goes to stdout as Markdown, or to a file as its name ends', async () => {
  const { stdout, stderr } = await folder.run(['sessions', 'export', id])
  expect(stdout).toContain('## Agent\n\nHello')
  expect(stderr).toBe('')
  const lines = await folder.run(['sessions', 'export', id, '-f', 'jsonl'])
  expect(JSON.parse(lines.stdout.split('\n', 1)[0]!)).toMatchObject({ role: 'user' })
  const page = join(folder.path, 'page.html')
  await folder.run(['sessions', 'export', id, '-o', page])
  expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/i)
  const wrong = await folder.run(['sessions', 'export', id, '-o', join(folder.path, 'no', 'x.md')])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written') })
})

test('wire --dir out prints only messages from the hub to the agent', async () => {
  const { stdout } = await folder.run(['wire', id, '--dir', 'out'])
  const frames = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as WireFrame & { frame: { method?: string } })
  expect(frames.every(({ direction }) => direction === 'out')).toBe(true)
  expect(frames.map(({ frame }) => frame.method)).toContain('session/prompt')
})

test('wire -f prints new messages', async () => {
  const child = folder.spawn(['wire', id, '-f', '--dir', 'in', '--limit', '500'])
  await folder.run(['send', id, 'echo A second answer'])
  await child.untilSaid('A second answer')
  child.process.kill('SIGINT')
  expect((await child.ended).stdout.match(/"protocolVersion"/g)).toHaveLength(1)
})

test('of a flood the wire shows every message, in order', async () => {
  const child = folder.spawn(['wire', id, '-f', '--dir', 'in', '--limit', '1'])
  const last = `~${String(FLOOD).padStart(9, '0')}~`
  // It follows once the first line is printed.
  await child.until('the first line', (output) => output.includes('\n'))
  await folder.run(['send', id, `flood ${FLOOD} 40`])
  await child.until(
    'the last of the flood',
    (output) => output.endsWith('\n') && output.slice(-4096).includes(last),
  )
  child.process.kill('SIGINT')
  const { stdout } = await child.ended
  const marks = [...stdout.matchAll(/~(\d{9})~/g)].map(([, number]) => Number(number))
  expect(marks).toEqual(Array.from({ length: FLOOD }, (_, before) => before + 1))
})

test('a session is removed only after a confirmation', async () => {
  expect(await folder.run(['sessions', 'rm', id])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  const screen = folder.start(['sessions', 'rm', id], { isTerminal: true })
  await screen.until('permanently? [y/N]')
  screen.type('n\r')
  expect(await screen.ended).toMatchObject({ code: 0 })
  expect(await listed()).toEqual([id])
  expect((await folder.run(['sessions', 'rm', id, '--yes'])).code).toBe(0)
  expect(await listed()).toEqual([])
  expect(await folder.run(['sessions', 'show', '-'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No session'),
  })
})

test('a turn is cancelled and a session is ended at the command line', async () => {
  const id = (await folder.run(['run', 'ask', '--detach'])).stdout.trim()
  expect((await folder.run(['attach', id])).code).toBe(3)
  expect(await folder.run(['sessions', 'cancel', id])).toMatchObject({
    code: 0,
    stderr: `Stopped the turn of ${id}.\n`,
  })
  expect((await folder.run(['attach', id])).code).toBe(4)
  expect((await folder.run(['sessions', 'cancel', id])).stderr).toBe('No turn was running.\n')
  expect((await folder.run(['sessions', 'end', id])).code).toBe(0)
  expect((await folder.run(['sessions', 'show', id])).stdout).toMatch(/state +completed/)
  expect((await folder.run(['sessions', 'cancel', id])).code).toBe(1)
})
