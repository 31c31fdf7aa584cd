// People's terminals over REST and the WebSocket, with real shells.
import { mkdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorBody, Terminal } from '@quayside/protocol'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { TerminalHub } from './terminal-fixture.js'

let terminals: TerminalHub
beforeAll(async () => {
  terminals = await TerminalHub.start({ sharesAgent: true })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await terminals.closeAll()
})
afterAll(() => terminals[Symbol.asyncDispose]())

test('typed input runs in the repository, and its output is returned', async () => {
  const { id, feed } = await terminals.open()
  await feed.type(id, 'echo "in $(pwd)"\n')
  const [, cwd] = await feed.until(id, /in (\/\S+)\r\n/)
  expect(cwd).toBe(join(terminals.hub.workspace, 'shop-api'))
  const [terminal] = await terminals.list()
  expect(terminal).toMatchObject({ id, cwd, label: 'sh', command: '/bin/sh', args: [], exit: null })
  expect(await terminals.hub.get(`/api/terminals/${id}`)).toEqual(terminal)
})

test('a person gets their own shell as a login shell', async () => {
  vi.stubEnv('SHELL', '/bin/sh')
  await using terminals = await TerminalHub.start()
  const { id: repoId } = await terminals.hub.firstRepo()
  const response = await terminals.hub.post('/api/terminals', { repoId })
  expect(await response.json()).toMatchObject({
    label: 'sh',
    command: '/bin/sh',
    args: ['-l'],
    cols: 80,
    rows: 24,
  })
})

test('the program sees the size of the window, also when it changes', async () => {
  const { id, feed } = await terminals.open({ cols: 100, rows: 30 })
  await feed.type(id, 'stty size\n')
  await feed.until(id, /30 100\r\n/)
  await feed.call('terminal/resize', { terminalId: id, cols: 133, rows: 44 })
  await feed.type(id, 'stty size\n')
  await feed.until(id, /44 133\r\n/)
  expect((await terminals.list())[0]).toMatchObject({ cols: 133, rows: 44 })
})

test('characters that are printed in halves arrive whole', async () => {
  const script = String.raw`printf '<\360\237'; sleep 0.05; printf '\230\200>\n'; i=0
    while [ $i -lt 60000 ]; do printf '€😀'; i=$((i+1)); done; printf '\nend\n'`
  const { id, feed } = await terminals.open({ args: ['-c', script] })
  await feed.exited(id)
  const { text, skippedBytes } = feed.seen(id)
  expect(text.slice(0, 6)).toBe('<😀>\r\n')
  expect(text.slice(-19)).toBe('€😀€😀€😀€😀\r\nend\r\n')
  expect(text.slice(6, -7) === '€😀'.repeat(60_000)).toBe(true)
  expect(skippedBytes).toBe(0)
})

test('Ctrl-C interrupts the program, and the shell continues', async () => {
  const { id, feed } = await terminals.open()
  await feed.type(id, `sh -c 'echo be""gin; exec sleep 600'\n`)
  await feed.until(id, /begin/)
  await feed.type(id, '\u0003')
  await feed.until(id, /\^C/)
  await feed.type(id, 'echo "ended with $?"\n')
  await feed.until(id, /ended with 130/)
})

test('the end is reported with its code, and the output stays readable', async () => {
  const { id, feed } = await terminals.open()
  await feed.type(id, 'echo last""word; exit 7\n')
  expect(await feed.exited(id)).toMatchObject({ exitCode: 7, signal: null })
  const input = await feed.call('terminal/input', { terminalId: id, data: 'x' })
  expect(input.error?.data?.code).toBe('terminal_exited')
  const late = await terminals.feed()
  await late.follow(id)
  expect(await late.exited(id)).toMatchObject({ exitCode: 7 })
  expect(late.seen(id).text).toContain('lastword')
  expect((await terminals.list())[0]!.exit).toMatchObject({ exitCode: 7 })
})

test('a program that is ended by a signal is reported with the signal', async () => {
  const { id, feed } = await terminals.open({ args: ['-c', 'kill -9 $$'] })
  expect(await feed.exited(id)).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
})

test('two people see the same, and one leaves without the other noticing', async () => {
  const { id, feed: first } = await terminals.open()
  const second = await terminals.feed()
  await second.follow(id)
  await first.type(id, 'echo fi""rst\n')
  for (const feed of [first, second]) await feed.until(id, /first/)
  await second.type(id, 'echo se""cond\n')
  for (const feed of [first, second]) await feed.until(id, /second/)
  first.close()
  await second.type(id, 'echo still""here\n')
  await second.until(id, /stillhere/)
})

test('a client that reconnects continues at its position: nothing twice, nothing missing', async () => {
  const { id, feed } = await terminals.open()
  await feed.type(id, 'echo fi""rst\n')
  await feed.until(id, /first\r\n/)
  const { next, text } = feed.seen(id)
  feed.close()
  const again = await terminals.feed()
  await again.follow(id, next)
  await again.type(id, 'echo se""cond; exit\n')
  await again.exited(id)
  const whole = await terminals.feed()
  await whole.follow(id)
  await whole.exited(id)
  expect(text + again.seen(id).text).toBe(whole.seen(id).text)
  expect(whole.seen(id).text).toMatch(/first\r\n[^]*second\r\n/)
})

test('a client that unfollows gets nothing more', async () => {
  const { id, feed } = await terminals.open()
  await feed.until(id, /\S/)
  await feed.call('terminal/unfollow', { terminalId: id })
  const other = await terminals.feed()
  await other.follow(id)
  await feed.type(id, 'echo no""body\n')
  await other.until(id, /nobody/)
  expect(feed.seen(id).text).not.toContain('nobody')
})

test('a large paste reaches a program that prints it all back', async () => {
  const { id, feed } = await terminals.open({
    args: ['-c', 'stty raw -echo; echo ready; head -c 600000 | tee /dev/stderr | wc -c'],
  })
  await feed.until(id, /ready/)
  for (let sent = 0; sent < 600_000; sent += 60_000) await feed.type(id, 'x'.repeat(60_000))
  await feed.exited(id)
  expect(feed.seen(id).text.slice(-10)).toMatch(/x600000\s*$/)
})

test('the environment is the person’s, without secrets of the hub', async () => {
  vi.stubEnv('QUAYSIDE_TOKEN', 'a-secret-of-the-hub')
  vi.stubEnv('npm_config_prefix', '/nowhere')
  vi.stubEnv('MY_OWN', 'variable')
  await using terminals = await TerminalHub.start()
  const { id, feed } = await terminals.open({ command: 'env' })
  await feed.exited(id)
  const { text } = feed.seen(id)
  expect(text).toContain('TERM=xterm-256color')
  expect(text).toContain('MY_OWN=variable')
  expect(text).toContain(`QUAYSIDE_OWNER=terminal:${id}`)
  expect(text).not.toMatch(/a-secret-of-the-hub|npm_config_prefix/)
})

test('a terminal of a session opens where the session works', async () => {
  const { id: repoId, path } = await terminals.hub.firstRepo()
  mkdirSync(join(path, 'lib'))
  const input = { repoId, settings: { cwd: 'lib' } }
  const session = (await (await terminals.hub.post('/api/sessions', input)).json()) as {
    id: string
  }
  const { cwd, sessionId } = await terminals.create({ sessionId: session.id })
  expect({ cwd, sessionId }).toEqual({ cwd: join(path, 'lib'), sessionId: session.id })
})

test('a repository that agents may not enter is still the person’s own', async () => {
  await using terminals = await TerminalHub.start({ env: { QUAYSIDE_TRUST: 'ask' } })
  const { id, feed } = await terminals.open()
  await feed.type(id, 'echo al""lowed\n')
  await feed.until(id, /allowed/)
})

test('a folder outside of the repository is refused, however it is named', async () => {
  const { id: repoId, path } = await terminals.hub.firstRepo()
  symlinkSync(tmpdir(), join(path, 'way-out'))
  const codeFor = async (cwd: string): Promise<string> => {
    const response = await terminals.hub.post('/api/terminals', { repoId, cwd })
    return ((await response.json()) as ErrorBody).error.code
  }
  for (const cwd of ['..', '/', tmpdir(), 'way-out'])
    expect([cwd, await codeFor(cwd)]).toEqual([cwd, 'path_outside_root'])
  for (const cwd of ['missing', 'README.md'])
    expect([cwd, await codeFor(cwd)]).toEqual([cwd, 'invalid_settings'])
  expect(await terminals.list()).toEqual([])
})

test('invalid and unknown requests are refused', async () => {
  const { id: repoId } = await terminals.hub.firstRepo()
  const statusOf = async (input: unknown) =>
    (await terminals.hub.post('/api/terminals', input)).status
  expect(await statusOf({})).toBe(400)
  expect(await statusOf({ repoId, sessionId: 's' })).toBe(400)
  expect(await statusOf({ repoId, args: ['-l'] })).toBe(400)
  expect(await statusOf({ repoId, cols: 0 })).toBe(400)
  expect(await statusOf({ repoId: 'none' })).toBe(404)
  expect(await statusOf({ sessionId: 'none' })).toBe(404)
  expect(await statusOf({ repoId, command: 'no-such-program' })).toBe(422)
  expect((await terminals.hub.fetch('/api/terminals/none')).status).toBe(404)
  expect((await terminals.close('none')).status).toBe(404)
  const feed = await terminals.feed()
  for (const method of ['follow', 'input', 'resize', 'close']) {
    const params = {
      follow: {},
      input: { data: 'x' },
      resize: { cols: 80, rows: 24 },
      close: {},
    }[method]
    const answer = await feed.call(`terminal/${method}`, { terminalId: 'none', ...params })
    expect(answer.error?.data?.code, method).toBe('terminal_not_found')
  }
})

test('twenty at once are sixteen, and one that has ended makes place', async () => {
  const { id: repoId } = await terminals.hub.firstRepo()
  const input = { repoId, command: '/bin/sh' }
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => terminals.hub.post('/api/terminals', input)),
  )
  const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length
  expect({ opened: count(201), refused: count(429) }).toEqual({ opened: 16, refused: 4 })
  const refused = await terminals.hub.post('/api/terminals', input)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refused.json()).toMatchObject({ error: { code: 'terminal_limit' } })
  const [first] = await terminals.list()
  const feed = await terminals.feed()
  await feed.follow(first!.id)
  await feed.type(first!.id, 'exit\n')
  await feed.exited(first!.id)
  const { id } = await terminals.create()
  const ids = (await terminals.list()).map((terminal) => terminal.id)
  expect(ids).toHaveLength(16)
  expect(ids).toContain(id)
  expect(ids).not.toContain(first!.id)
})

test('an agent whose sign-in wants a terminal gets one, and its sessions open afterwards', async () => {
  const extensions = fileURLToPath(new URL('extensions', import.meta.url))
  await using terminals = await TerminalHub.start({ env: { QUAYSIDE_EXTENSIONS: extensions } })
  const { hub } = terminals
  const { id: repoId } = await hub.firstRepo()
  const create = () => hub.post('/api/sessions', { repoId, extensionId: 'signed-out' })
  expect((await create()).status).toBe(409)
  const signIn = { methodId: 'demo-terminal' }
  const answer = await hub.post('/api/extensions/signed-out/authenticate', signIn)
  expect(answer.status).toBe(202)
  const { terminal } = (await answer.json()) as { terminal: Terminal }
  expect(terminal).toMatchObject({ repoId: null, exit: null })
  const feed = await terminals.feed()
  await feed.follow(terminal.id)
  await feed.until(terminal.id, /Press Enter/)
  await feed.type(terminal.id, '\r')
  await feed.until(terminal.id, /You are signed in/)
  expect((await create()).status).toBe(201)
})
