// The command line at a terminal: a person types answers and prompts and presses Ctrl-C.
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'
import type { CommandRun } from './command-run.js'
import type { TestHub } from './test-hub.js'

let folder: CliFolder
let hub: TestHub
beforeAll(async () => {
  folder = new CliFolder()
  hub = await folder.startHub({ env: { AGENT_MAX_SESSIONS: '100' } })
})
afterAll(() => folder[Symbol.asyncDispose]())

/** With streams that report to be a terminal. */
function atTerminal(...args: string[]): CommandRun {
  return folder.start(args, { isTerminal: true })
}

async function codeOf(screen: CommandRun): Promise<number | null> {
  return (await screen.ended).code
}

test('a permission is shown with its options and answered with a number', async () => {
  const screen = atTerminal('run', 'ask')
  await screen.until('   3 ')
  expect(screen.text).toContain(
    '? The agent asks for permission (other): Do nothing, with your permission',
  )
  screen.type('9\n')
  await screen.until('Answer with a number from 1 to 3')
  screen.type('3\n')
  await screen.until('selected reject_once')
  expect(await codeOf(screen)).toBe(0)
  expect(screen.text).not.toContain('Answered by')
})

test('a permission to edit is shown with its diff, and its verb once', async () => {
  const screen = atTerminal('run', 'edit notes.txt')
  await screen.until('   3 ')
  expect(screen.text).toMatch(/asks for permission: Edit notes\.txt/)
  expect(screen.text).toMatch(/@@ \S*notes\.txt \(new file\)/)
  expect(screen.text).toContain('  +')
  screen.type('1\n')
  await screen.until('Wrote /')
  expect(screen.text).toContain('edit    notes.txt')
  expect(await codeOf(screen)).toBe(0)
})

test('a decision that is answered elsewhere says by whom and how', async () => {
  const screen = atTerminal('run', 'ask')
  await screen.until('   3 ')
  const [session] = (await hub.get<{ sessions: { id: string }[] }>('/api/sessions?limit=1'))
    .sessions
  const path = `/api/sessions/${session!.id}/permissions`
  const { permissions } = await hub.get<{ permissions: { permissionId: string }[] }>(path)
  await hub.post(`${path}/${permissions[0]!.permissionId}`, { optionId: 'reject_once' })
  await screen.until('Answered by automation: ')
  expect(await codeOf(screen)).toBe(0)
})

test('a question is asked field by field, and a wrong answer once more', async () => {
  const screen = atTerminal('run', 'question')
  await screen.until('What is it called? (required)')
  screen.type('\n')
  await screen.until('This field is required')
  screen.type('Shop\n')
  await screen.until('2 Rust')
  screen.type('7\n')
  await screen.until('Answer with a number from 1 to 3')
  screen.type('2\n')
  await screen.until('yes/no [yes]')
  screen.type('\n')
  await screen.until('accept {"name":"Shop","language":"rust","tests":true}')
  expect(await codeOf(screen)).toBe(0)
})

test('a question is declined, and an address is opened elsewhere', async () => {
  const screen = atTerminal('run', 'question')
  await screen.until('What is it called?')
  screen.type('/decline\n')
  await screen.until('decline\n')
  expect(await codeOf(screen)).toBe(0)
  const address = atTerminal('run', 'question url')
  await address.until('Open https://example.com/')
  address.type('\n')
  await address.until('accept\n')
  expect(await codeOf(address)).toBe(0)
})

test('the last line has the duration, the changed files and the use of the context', async () => {
  const screen = atTerminal('run', 'usage')
  await screen.until('% of context')
  expect(screen.text).toMatch(/✓ done in [\d.]+ s · 0 files changed · 1% of context/)
  expect(await codeOf(screen)).toBe(0)
})

test('at a real terminal attach follows, takes prompts, and leaves at Ctrl-C while the session keeps running', async () => {
  await folder.run(['run', 'echo before'])
  const screen = folder.atTerminal(['attach', '-'])
  await screen.until('type to prompt')
  await screen.until('before')
  screen.type('echo typed here\n')
  await screen.until('typed here', 2)
  await screen.until('✓ done', 2)
  screen.type('\u0003')
  expect(await screen.ended).toBe(0)
  const { stdout } = await folder.run(['sessions', '--limit', '1'])
  expect(stdout).toContain('idle')
})

test('attach shows the last turns with their prompts, and as many as are asked for', async () => {
  await folder.run(['run', 'echo first'])
  for (const word of ['second', 'third', 'fourth'])
    await folder.run(['run', `echo ${word}`, '--session', '-'])
  const screen = atTerminal('attach', '-')
  await screen.until('✓ done', 3)
  expect(screen.text).toMatch(/> echo second.*\nsecond\n.*> echo third.*\nthird\n.*\nfourth\n/s)
  expect(screen.text).not.toContain('> echo first')
  screen.type('echo fifth\n')
  await screen.until('fifth\n')
  expect(screen.text).not.toContain('> echo fifth')
  screen.signal('SIGTERM')
  await screen.ended
  const { stdout } = await folder.run(['attach', '-', '--last', '2'])
  expect(stdout).toBe('fourth\nfifth\n')
})

test('Ctrl-C stops each turn of the session that is attached, and leaves when nothing runs', async () => {
  await folder.run(['run', 'echo before'])
  await folder.run(['send', '-', 'drip 100000 5'])
  const screen = atTerminal('attach', '-')
  await screen.until('drop 20')
  screen.signal('SIGINT')
  await screen.until('✗ cancelled')
  screen.type('ask\n')
  await screen.until('   3 ')
  screen.signal('SIGINT')
  await screen.until('✗ cancelled', 2)
  screen.signal('SIGINT')
  expect(await codeOf(screen)).toBe(4)
})

test('a silent agent shows the elapsed time, which makes way for other output', async () => {
  const screen = atTerminal('run', 'slow 600')
  await screen.until('\r\u001B[K⠋')
  expect(screen.text).toMatch(/\S [1-9]\d* s/)
  screen.signal('SIGINT')
  await screen.until('✗ cancelled')
  const [before = ''] = screen.text.split('Stopping.')
  expect(stripVTControlCharacters(before)).toMatch(/ s\r$/)
  await screen.ended
})

test('at a terminal an answer is rendered Markdown, elsewhere it is unchanged', async () => {
  const answer = 'echo # Plan\n- **one**\n- two'
  const screen = atTerminal('run', answer)
  await screen.until('✓ done')
  expect(stripVTControlCharacters(screen.stdout)).toBe('Plan\n• one\n• two\n')
  const { stdout } = await folder.run(['run', answer])
  expect(stdout).toBe('# Plan\n- **one**\n- two\n')
})

test('an agent cannot write to the terminal what a terminal obeys', async () => {
  const screen = atTerminal('run', 'echo \u001B]0;owned\u0007\u001B[2Jred\u202E')
  await screen.until('✓ done')
  expect(screen.text).not.toContain('owned\u0007')
  expect(screen.text).not.toContain('\u001B[2J')
  expect(screen.text).toContain('red\\u202e')
  await screen.ended
})

test('an address that no phone can open has no QR code, but a hint about the ways for a phone', async () => {
  const screen = atTerminal('pair', '--scope', 'read', '--name', 'phone')
  await screen.until('remote')
  expect(screen.text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{22}/)
  expect(screen.text).not.toMatch(/[▀▄█]{10}/)
  expect(await codeOf(screen)).toBe(0)
})
