// `quayside run --agents`: a table of several agents on one prompt, its exit code, and `quayside workspace take` and `check`.
import { existsSync } from 'node:fs'
import type { Comparison } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'
import { TestRepo } from './git-fixture.js'
import { EXTENSIONS, type TestHub } from './test-hub.js'

let folder: CliFolder
let hub: TestHub
let repo: TestRepo
beforeAll(async () => {
  folder = new CliFolder({ QUAYSIDE_EXTENSIONS: EXTENSIONS })
  repo = new TestRepo(folder.repo)
  hub = await folder.startHub({
    env: { QUAYSIDE_EXTENSIONS: EXTENSIONS, AGENT_MAX_SESSIONS: '20' },
  })
})
afterAll(() => folder[Symbol.asyncDispose]())

function compare(prompt: string, ...flags: readonly string[]) {
  return folder.run(['run', prompt, '--agents', 'demo,text-only', ...flags])
}

async function setCheck(check: string | null): Promise<void> {
  const { id } = await hub.firstRepo()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ settings: { check } })
  await hub.fetch(`/api/repos/${id}`, { method: 'PATCH', headers, body })
}

test('the table has a row for each agent, and one of them is taken', async () => {
  await setCheck('test -e made.txt')
  const { code, stdout, stderr } = await compare('edit made.txt', '--allow', 'edits')
  const rows = stdout.trim().split('\n')
  expect(rows[0]).toMatch(/^AGENT +STATE +TIME +COST +FILES +LINES +CHECK +SESSION$/)
  expect(rows[1]).toMatch(/^demo +done +\d+ s +1 +\+1 −0 +passed +\w+$/)
  expect(rows[2]).toMatch(/^text-only +done +\d+ s +1 +\+1 −0 +passed +\w+$/)
  expect(code, stderr).toBe(0)
  expect(stderr).toContain(`${hub.hub.address}/compare/`)
  expect(repo.git('status', '--porcelain')).toBe('')

  const session = rows[2]!.split(/ +/).at(-1)!
  expect(await folder.run(['workspace', 'check', session])).toMatchObject({
    code: 0,
    stdout: 'passed\n',
  })
  const taken = await folder.run(['workspace', 'take', session, '--yes'])
  expect(taken).toMatchObject({ code: 0, stdout: '' })
  const [, kept = ''] = /^demo: kept as (\S+)\.$/m.exec(taken.stderr) ?? []
  expect(repo.git('show', `${kept}:made.txt`)).not.toBe('')
  expect(repo.git('branch', '--list', 'quayside/*').trim()).toContain('text-only-edit-made-txt')
})

test('the exit code tells a failed check, a failed agent and a decision that is needed', async () => {
  await setCheck('exit 3')
  const unchecked = await compare('echo hello', '--json')
  expect(unchecked.code).toBe(1)
  const { sessions } = JSON.parse(unchecked.stdout) as Comparison
  expect(sessions.map(({ workspace }) => workspace?.check?.exitCode)).toEqual([3, 3])
  await setCheck(null)
  expect(await compare('fail -32603 broken')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^demo +failed/m),
  })
  expect(await compare('edit asked.txt')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^demo +waiting/m),
    stderr: expect.stringContaining('quayside sessions answer'),
  })
  expect(await compare('slow 60', '--timeout', '1s')).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^demo +cancelled/m),
  })
  const wrong = await folder.run(['run', 'echo x', '--agents', 'demo,nobody'])
  expect(wrong).toMatchObject({ code: 5, stderr: expect.stringContaining('nobody: No such agent') })
  expect((await folder.run(['run', 'echo x', '--agents', 'demo'])).stderr).toContain('2 to 8')
})

test('at a terminal the table is drawn again until all are done', async () => {
  const run = folder.start(['run', 'drip 2 400', '--agents', 'demo,demo'], { isTerminal: true })
  await run.until('working')
  const { code, output } = await run.ended
  expect(code).toBe(0)
  expect(output).toContain('\u{1b}[3A\u{1b}[J')
})

test('without a hub the comparison is complete when the command ends, and can be taken later', async () => {
  await using alone = new CliFolder()
  const first = await alone.run([
    'run',
    'edit made.txt',
    '--agents',
    'demo,demo',
    '--auto',
    '--json',
  ])
  expect(first.code, first.stderr).toBe(0)
  const { id, sessions } = JSON.parse(first.stdout) as Comparison
  await using later = await alone.startHub()
  const found = await later.get<Comparison>(`/api/comparisons/${id}`)
  expect(found.sessions.map(({ outcome, status }) => [outcome, status])).toEqual([
    ['done', 'completed'],
    ['done', 'completed'],
  ])
  expect(existsSync(sessions[0]!.workspace!.path)).toBe(true)
})
