// `quayside run` with a running hub: the text on stdout, everything else on stderr, and exit codes for scripts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionList } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'
import { EXTENSIONS, type TestHub } from './test-hub.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let folder: CliFolder
let hub: TestHub
beforeAll(async () => {
  folder = new CliFolder()
  const env = { AGENT_MAX_SESSIONS: '100', QUAYSIDE_EXTENSIONS: EXTENSIONS }
  hub = await folder.startHub({ env })
})
afterAll(() => folder[Symbol.asyncDispose]())

test('tool calls of the agent are printed on stderr', async () => {
  const { stdout, stderr } = await folder.run(['run', 'tools'])
  expect(stdout).toBe('Three tool calls completed, one failed.\n')
  expect(stderr).toMatch(/^ {2}\w+ +\S/m)
  expect(stderr).toContain('· failed')
})

test('a prompt is read from stdin, and an empty one is wrong usage', async () => {
  const piped = await folder.run(['run', '-'], { input: 'echo from a pipe\n' })
  expect(piped).toMatchObject({ code: 0, stdout: 'from a pipe\n' })
  expect(await folder.run(['run', '-'])).toMatchObject({ code: 2, stdout: '' })
})

test('files go with the prompt: text inside of it, pictures beside it', async () => {
  const [note, picture, data] = ['note.md', 'dot.png', 'data.bin'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string]
  writeFileSync(note, 'Remember the milk.')
  writeFileSync(picture, PNG)
  writeFileSync(data, Buffer.from([1, 0, 2]))
  const sent = ['run', 'echo seen', '--json', '--file', note, '--file', picture]
  const { code, stdout } = await folder.run(sent)
  expect(code).toBe(0)
  expect(JSON.parse(stdout.split('\n', 1)[0]!)).toMatchObject({
    type: 'user_message',
    content: [
      { type: 'text', text: 'echo seen' },
      { type: 'resource', resource: { text: 'Remember the milk.' } },
      { type: 'image', mimeType: 'image/png', uri: expect.stringMatching(/^\/media\//) },
    ],
  })
  for (const [file, problem] of [
    [data, 'neither text nor an image'],
    [join(folder.path, 'nothing.txt'), 'cannot be read'],
    [folder.path, 'is not a file'],
  ] as const)
    expect(await folder.run(['run', 'x', '--file', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    })
})

test('an agent that accepts texts only gets files as text, and no pictures', async () => {
  const [note, picture] = [join(folder.path, 'milk.md'), join(folder.path, 'milk.png')]
  writeFileSync(note, 'Remember the milk.')
  writeFileSync(picture, PNG)
  const run = ['run', 'echo seen', '--agent', 'text-only', '--json', '--file']
  const { code, stdout } = await folder.run([...run, note])
  expect(code).toBe(0)
  expect(JSON.parse(stdout.split('\n', 1)[0]!)).toMatchObject({
    content: [{ text: 'echo seen' }, { type: 'text', text: expect.stringContaining('the milk.') }],
  })
  const { total } = await hub.get<SessionList>('/api/sessions')
  expect(await folder.run([...run, picture])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is an image, and this agent accepts none'),
  })
  expect((await hub.get<SessionList>('/api/sessions')).total).toBe(total)
})

test('options are set before the prompt, and an unknown one lists what there is', async () => {
  const set = ['--config', 'mode=code', '--config', 'model=script-large']
  expect(await folder.run(['run', 'echo set', ...set])).toMatchObject({ code: 0 })
  const { stdout } = await folder.run(['attach', '-', '--from', '1', '--json'])
  expect(
    stdout
      .split('\n')
      .filter((line) => line.includes('"type":"config"'))
      .at(-1),
  ).toMatch(/"currentValue":"code".*"currentValue":"script-large"/)
  const before = await folder.run(['sessions', '--json', '--limit', '1'])
  for (const [input, expected] of [
    ['mood=good', 'mode=ask|code'],
    ['mode=fast', 'mode=ask|code'],
    ['mode', 'mode=code'],
  ] as const)
    expect(await folder.run(['run', 'x', '--config', input])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(expected),
    })
  // A new session with wrong options is removed again.
  const after = await folder.run(['sessions', '--json', '--limit', '1'])
  expect(JSON.parse(after.stdout)).toEqual(JSON.parse(before.stdout))
})

test('--json prints one event in each line', async () => {
  const { code, stdout, stderr } = await folder.run(['run', 'think deeply', '--json'])
  const lines = stdout.trimEnd().split('\n')
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type)
  expect(code).toBe(0)
  // The agent announces its commands at the start of the session, before or after the prompt.
  expect(types.filter((type) => type !== 'commands')).toEqual([
    'user_message',
    'turn_start',
    'thought_delta',
    'text_delta',
    'turn_end',
  ])
  expect(stderr).toBe('')
})

test('--allow answers by the kind of option, and only what it names', async () => {
  const edit = await folder.run(['run', 'edit note.txt', '--allow', 'edits'])
  expect(edit).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Wrote .*note.txt.\n$/) })
  expect(readFileSync(join(folder.repo, 'note.txt'), 'utf8')).not.toBe('')
  const execute = await folder.run(['run', 'run touch made.txt', '--allow', 'edits'])
  expect(execute.code).toBe(3)
  expect((await folder.run(['run', 'edit other.txt', '--allow', 'reads'])).code).toBe(3)
  const all = await folder.run(['run', 'run touch made.txt', '--auto'])
  expect(all.code).toBe(0)
  expect(existsSync(join(folder.repo, 'made.txt'))).toBe(true)
})

test('not even --auto allows files that can run code unseen', async () => {
  const { code } = await folder.run(['run', 'edit .vscode/tasks.json', '--auto'])
  expect(code).toBe(3)
})

test.concurrent.each([
  { what: 'refusal is 6', args: ['run', 'stop refusal'], code: 6, expected: 'refusal' },
  { what: 'a limit is 6', args: ['run', 'stop max_tokens'], code: 6, expected: 'max_tokens' },
  { what: 'a failure is 1', args: ['run', 'fail 42 It broke'], code: 1, expected: 'It broke' },
  { what: 'a crash is 1', args: ['run', 'crash', '--agent=loader'], code: 1, expected: 'failed' },
  {
    what: 'a timeout is 4',
    args: ['run', 'slow 600', '--timeout', '0.5s'],
    code: 4,
    expected: 'The time limit is reached',
  },
  {
    what: 'an agent that is not there is 5',
    args: ['run', 'hi', '--agent', 'droid'],
    code: 5,
    expected: 'not installed',
  },
  {
    what: 'an unknown agent is 5',
    args: ['run', 'hi', '--agent', 'nobody'],
    code: 5,
    expected: 'No such agent',
  },
  { what: 'an unknown option is 2', args: ['run', 'hi', '--loud'], code: 2, expected: '--loud' },
  {
    what: 'an unknown time is 2',
    args: ['run', 'hi', '--timeout', 'soon'],
    code: 2,
    expected: '90s',
  },
  { what: 'no prompt is 2', args: ['run'], code: 2, expected: 'prompt' },
  {
    what: 'two ways to allow are 2',
    args: ['run', 'hi', '--auto', '--allow', 'all'],
    code: 2,
    expected: '--allow',
  },
  {
    what: 'an unknown session is 1',
    args: ['run', 'hi', '--session', 'nobody'],
    code: 1,
    expected: 'No session matches',
  },
  {
    what: 'an unknown repository is 1',
    args: ['run', 'hi', '--repo', 'elsewhere'],
    code: 1,
    expected: 'elsewhere',
  },
  {
    what: 'a hub that is not there is 7',
    args: ['sessions', '--hub', 'http://127.0.0.1:9'],
    code: 7,
    expected: 'reached',
  },
  {
    what: 'so it is for an editor',
    args: ['acp', '--hub', 'http://127.0.0.1:9'],
    code: 7,
    expected: 'The hub at http://127.0.0.1:9 cannot be reached',
  },
  {
    what: 'a token for nowhere is 2',
    args: ['sessions', '--token', 'token-of-nobody-at-all'],
    code: 2,
    expected: '--hub',
  },
])('$what', async ({ args, code, expected }) => {
  const ended = await folder.run(args, { env: { QUAYSIDE_TOKEN: 'token-of-nobody-at-all' } })
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({
    code,
    stderr: expect.stringContaining(expected),
  })
})

test('the first Ctrl-C stops the turn, and the end is 4', async () => {
  const run = folder.start(['run', 'drip 100000 5'])
  await run.until('drop 1')
  run.signal('SIGINT')
  expect(await run.ended).toMatchObject({ code: 4, stderr: expect.stringContaining('Stopping') })
  const { stdout } = await folder.run(['sessions', '--json', '--limit', '1'])
  expect((JSON.parse(stdout) as SessionList).sessions[0]).toMatchObject({
    status: 'active',
    activity: 'idle',
  })
})

test('with a hub, an unanswered permission waits in the browser, and attach continues', async () => {
  const asked = await folder.run(['run', 'ask'])
  expect(asked.code).toBe(3)
  const [, id = ''] = /quayside attach (\S+)/.exec(asked.stderr) ?? []
  expect(asked.stderr).toMatch(new RegExp(`http://127.0.0.1:\\d+/s/${id}`))
  const still = await folder.run(['attach', id])
  expect(still.code).toBe(3)
  const answered = await answerInBrowser(id)
  expect(answered.status).toBe(200)
  const done = await folder.run(['attach', id])
  expect(done).toMatchObject({ code: 0, stdout: 'selected reject_once\n' })
})

test('a script that needs a decision answers it at the command line, and attach continues', async () => {
  const asked = await folder.run(['run', 'ask'])
  expect(asked.code).toBe(3)
  const [, id = ''] = /quayside sessions answer (\S+)/.exec(asked.stderr) ?? []
  const shown = await folder.run(['sessions', 'answer', id])
  expect(shown).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('  1 Allow (allow_once)'),
  })
  const wrong = await folder.run(['sessions', 'answer', id, 'perhaps'])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('(reject_once)') })
  expect((await folder.run(['sessions', 'answer', id, '3'])).code).toBe(0)
  const done = await folder.run(['attach', id])
  expect(done).toMatchObject({ code: 0, stdout: 'selected reject_once\n' })
  const nothing = await folder.run(['sessions', 'answer', id])
  expect(nothing).toMatchObject({ code: 0, stdout: 'The agent asks nothing.\n' })

  expect((await folder.run(['run', 'question', '--session', id])).code).toBe(3)
  const form = await folder.run(['sessions', 'answer', id])
  expect(form.stdout).toContain('  name (required): What is it called?')
  expect((await folder.run(['sessions', 'answer', id, 'not JSON'])).code).toBe(2)
  expect((await folder.run(['sessions', 'answer', id, '{"name":"shop"}'])).code).toBe(0)
  expect((await folder.run(['attach', id])).stdout).toContain('accept {"name":"shop"}')
})

test('a question is for a person too', async () => {
  const { code, stderr } = await folder.run(['run', 'question'])
  expect(code).toBe(3)
  expect(stderr).toContain('The agent asks: ')
  expect(stderr).toContain('What is it called? (required)')
  const { stdout } = await folder.run(['sessions', '--limit', '1'])
  expect(stdout).toContain('waiting')
})

test('send leaves a prompt with the session, and attach reads from any event', async () => {
  await folder.run(['run', 'echo one'])
  const sent = await folder.run(['send', '-', 'echo two', '--json'])
  expect(JSON.parse(sent.stdout)).toMatchObject({ queued: false })
  const last = await folder.run(['attach', '-'])
  expect(last).toMatchObject({ code: 0, stdout: 'two\n' })
  const all = await folder.run(['attach', '-', '--from', '1', '--json'])
  const types = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
  expect(types.filter(({ type }) => type === 'turn_end')).toHaveLength(2)
})

test('send --now stops what runs', async () => {
  await folder.run(['run', 'echo one'])
  await folder.run(['send', '-', 'slow 600'])
  expect((await folder.run(['send', '-', 'echo later'])).stderr).toContain('Queued')
  await folder.run(['send', '-', 'echo now', '--now'])
  const { stdout } = await folder.run(['attach', '-', '--from', '1'])
  expect(stdout).toBe('one\nnow\nlater\n')
})

test('a hub elsewhere is reached by its address and a token', async () => {
  const { stdout: token } = await folder.run(['token', 'create', '--name', 'ci'])
  const { stdout: link } = await folder.run(['pair'])
  await using elsewhere = new CliFolder({
    QUAYSIDE_URL: new URL(link).origin,
    QUAYSIDE_TOKEN: token.trim(),
  })
  const there = await elsewhere.run(['run', 'cwd', '--repo', 'shop-api'])
  expect(there.stdout).toContain(`session ${folder.repo}`)
  const wrong = { env: { QUAYSIDE_TOKEN: 'quayside_wrong' } }
  expect(await elsewhere.run(['sessions'], wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Sign in'),
  })
  const corrected = await elsewhere.run(['sessions', '--token', token.trim()], wrong)
  expect(corrected).toMatchObject({ code: 0, stdout: expect.stringContaining('cwd') })
})

async function answerInBrowser(sessionId: string): Promise<Response> {
  const path = `/api/sessions/${sessionId}/permissions`
  const { permissions } = await hub.get<{ permissions: { permissionId: string }[] }>(path)
  return hub.post(`${path}/${permissions[0]!.permissionId}`, { optionId: 'reject_once' })
}
