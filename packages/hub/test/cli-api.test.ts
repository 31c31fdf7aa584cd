// `quayside api`: every command of the table by its name, with the input that the table says.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REST_COMMANDS, SOCKET_REQUESTS } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'

let folder: CliFolder
let sessionId: string
beforeAll(async () => {
  folder = new CliFolder()
  const hub = await folder.startHub()
  const session = await hub.createSession()
  await session.run('echo seen before')
  sessionId = session.id
})
afterAll(() => folder[Symbol.asyncDispose]())

test('all commands are listed, without a hub', async () => {
  const { code, stdout } = await folder.run(['api'], { env: { QUAYSIDE_DATA_DIR: '/nowhere' } })
  expect(code).toBe(0)
  for (const name of [...REST_COMMANDS.keys(), ...SOCKET_REQUESTS.keys()])
    expect(stdout).toMatch(new RegExp(`[ ,] ?${name}\\b`))
  expect(stdout).toMatch(/^ {2}session\/prompt +Send a prompt$/m)
})

test.each([
  ['hub/health', 'GET /api/health (no sign-in)', '200  Health  The hub is running.'],
  ['token/revoke', 'DELETE /api/tokens/{tokenId} (scope admin)', '204  '],
  [
    'session/export',
    'GET /api/sessions/{sessionId}/export (scope read)',
    '200  application/x-ndjson',
  ],
])('the help of %s has its address, its scope and its answers', async (name, address, answer) => {
  const { code, stdout } = await folder.run(['api', name, '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain(`\n${address}\n`)
  expect(stdout).toContain(`\nAnswers:\n  ${answer}`)
})

test('the help of a command has its input, its errors and the fields of its answer', async () => {
  const { stdout } = await folder.run(['api', 'session/prompt', '--help'])
  expect(stdout).toContain('\n  sessionId: string  Id of the session.\n  text?: string\n')
  expect(stdout).toContain('\n  409 session_not_active: The session has ended.')
  expect(stdout).toContain('\ntype PromptAccepted = {\n  turnId: string\n')
})

test('a command gets its input as fields, and its answer is printed as JSON', async () => {
  const renamed = await folder.run([
    'api',
    'session/change',
    `sessionId=${sessionId}`,
    'title=a=b',
    'pinned=true',
  ])
  expect(JSON.parse(renamed.stdout)).toMatchObject({ title: 'a=b', pinned: true })
  const listed = await folder.run(['api', 'session/list', 'limit=1', 'status=active,error'])
  expect(JSON.parse(listed.stdout)).toMatchObject({ sessions: [{ id: sessionId }], limit: 1 })
})

test('the input comes as JSON from a file or from stdin, and fields go before it', async () => {
  const args = ['api', 'session/change', `sessionId=${sessionId}`]
  const input = JSON.stringify({ title: 'from stdin', pinned: false })
  const piped = await folder.run([...args, '--input', '-'], { input })
  expect(JSON.parse(piped.stdout)).toMatchObject({ title: 'from stdin', pinned: false })

  writeFileSync(join(folder.repo, 'change.json'), input)
  const read = await folder.run([...args, '--input', 'change.json', 'title=from a field'])
  expect(JSON.parse(read.stdout)).toMatchObject({ title: 'from a field', pinned: false })
})

test('a download is passed on as it is, and a command without an answer prints nothing', async () => {
  const log = await folder.run(['api', 'session/export', `sessionId=${sessionId}`])
  expect(JSON.parse(log.stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'session.created' })
  const text = await folder.run([
    'api',
    'session/transcript',
    `sessionId=${sessionId}`,
    'format=md',
  ])
  expect(text.stdout).toContain('seen before')

  const created = await folder.run(['api', 'token/create', 'name=phone', 'scope=read'])
  const { id } = JSON.parse(created.stdout) as { id: string }
  const revoked = await folder.run(['api', 'token/revoke', `tokenId=${id}`])
  expect(revoked).toMatchObject({ code: 0, output: '' })
})

test('an error of the hub is reported like those of other commands', async () => {
  const missing = await folder.run(['api', 'session/get', 'sessionId=none'])
  expect(missing).toMatchObject({ code: 1, stdout: '', stderr: 'quayside: No such session.\n' })
  const wrong = await folder.run(['api', 'session/change', `sessionId=${sessionId}`, 'pinned=7'])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('pinned') })
  const nobody = await folder.run(['api', 'access/me'], { env: { QUAYSIDE_DATA_DIR: '/nowhere' } })
  expect(nobody).toMatchObject({ code: 7, stderr: expect.stringContaining('No hub is running') })
})

test.each([
  [['session/promt'], 'There is no command session/promt'],
  [['session/promt', '--help'], 'There is no command session/promt'],
  [['session/follow'], 'session/follow is a request of the WebSocket'],
  [['session/prompt', 'text=x'], 'session/prompt needs sessionId.'],
  [['session/list', 'all'], 'all is not an input. Write name=value.'],
  [['session/list', '--input', 'none.json'], 'none.json cannot be read'],
  [['session/list', '--input', '-'], 'The text on stdin is not a JSON object.'],
  [['media/upload'], 'Send the request yourself: POST /api/media'],
  [['access/login', 'code=x'], 'Send the request yourself: POST /api/login'],
])('wrong use is named: %j', async (args, message) => {
  const { code, stderr } = await folder.run(['api', ...args], { input: '[]' })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
