// Files, terminals and MCP servers that the hub offers to an agent, requested by a real child over ACP.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCut, type SessionList } from '@quayside/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { TerminalFeed } from './terminal-feed.js'
import { EXTENSIONS, startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
let repo: string
beforeAll(async () => {
  hub = await startTestHub({ env: { AGENT_MAX_SESSIONS: '50', QUAYSIDE_EXTENSIONS: EXTENSIONS } })
  repo = (await hub.firstRepo()).path
})
afterAll(() => hub[Symbol.asyncDispose]())

async function allowAll(session: TestSession, prompt: string): Promise<void> {
  const { turnId } = await session.prompt(prompt)
  const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  const allow = asked.data.options.find(({ kind }) => kind === 'allow_once')
  await session.answer(asked.data.permissionId, allow!.optionId)
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
}

test('capabilities are advertised only when they are on', async () => {
  const { frames } = await (async () => {
    await hub.createSession('services')
    await hub.createSession()
    return hub.get<{ frames: { frame: { method?: string; params?: unknown } }[] }>(
      '/api/extensions/debug/raw?limit=200',
    )
  })()
  const offers = frames
    .filter(({ frame }) => frame.method === 'initialize')
    .map(({ frame }) => JSON.stringify(frame.params))
  expect(offers.some((offer) => offer.includes('"terminal":true'))).toBe(true)
  expect(offers.some((offer) => offer.includes('"terminal":false'))).toBe(true)
})

test('an agent reads a file of the repository through the hub', async () => {
  const session = await hub.createSession('services')
  await session.run('read README.md')
  expect(JSON.stringify(session.feed.events)).toContain('A small shop.')
  expect(hub.log.find('an agent used a service of the hub').at(-1)).toMatchObject({
    audit: true,
    method: 'fs/read_text_file',
    sessionId: session.id,
  })
})

test('an agent writes a file of the repository through the hub', async () => {
  const session = await hub.createSession('services')
  await allowAll(session, 'edit written-by-agent.md')
  expect(existsSync(join(repo, 'written-by-agent.md'))).toBe(true)
})

test('an agent that must read a file before it creates it gets an empty one', async () => {
  const session = await hub.createSession('read-first')
  await allowAll(session, 'edit created-by-agent.md')
  expect(existsSync(join(repo, 'created-by-agent.md'))).toBe(true)
  await session.run('read ../outside.txt')
  expect(JSON.stringify(session.feed.events)).toContain('is outside the repository')
})

test('a session begins with the sentence that its agent does not ask, and with the remedy', async () => {
  const session = await hub.createSession('unasked')
  const { data } = await session.feed.until('notice')
  expect(data).toMatchObject({
    severity: 'warning',
    code: 'agent_acts_unasked',
    message:
      'This agent writes without asking. Turn on "Ask before writes" in the settings of the agent, and the hub asks before each write.',
  })
  await session.run('edit unasked.md')
  expect(session.feed.types()).not.toContain('permission.requested')
  expect(existsSync(join(repo, 'unasked.md'))).toBe(true)
})

test('with the remedy the hub asks before each write, and shows it', async () => {
  const settings = { askForWrites: true }
  const session = await hub.createSession('unasked', { settings })
  const { turnId } = await session.prompt('edit rejected.md')
  const { data } = await session.feed.until('permission.requested')
  expect(data.toolCall).toMatchObject({
    title: 'Write rejected.md',
    content: [{ type: 'diff', path: 'rejected.md', oldText: null }],
  })
  await session.answer(data.permissionId, 'reject')
  await session.feed.until('turn.ended', (end) => end.turnId === turnId)
  expect(existsSync(join(repo, 'rejected.md'))).toBe(false)
  await allowAll(session, 'edit allowed.md')
  expect(existsSync(join(repo, 'allowed.md'))).toBe(true)
  expect(session.feed.types()).not.toContain('notice')
})

test('a write that can run code is asked about with its diff, under an id that the agent cannot know', async () => {
  writeFileSync(join(repo, '.envrc'), 'export A=1\n')
  const session = await hub.createSession('services')
  const { turnId } = await session.prompt('edit .envrc')
  const own = await session.feed.until('permission.requested')
  await session.answer(own.data.permissionId, 'allow_once')
  const { permissionId, toolCall } = (
    await session.feed.until(
      'permission.requested',
      (data) => data.permissionId !== own.data.permissionId,
    )
  ).data
  expect(toolCall).toMatchObject({
    toolCallId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    title: expect.stringContaining('Write .envrc, which can run code') as string,
    content: [{ type: 'diff', path: '.envrc', oldText: 'export A=1\n' }],
  })
  expect(JSON.stringify(toolCall.content)).toContain('Edited by the Quayside demo agent.')
  await session.answer(permissionId, 'allow')
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  expect(readFileSync(join(repo, '.envrc'), 'utf8')).toContain('Edited by')
})

test('a path that leads out of the repository is refused', async () => {
  const secret = join(hub.folder, 'secret.txt')
  writeFileSync(secret, 'top secret canary')
  symlinkSync(secret, join(repo, 'innocent.txt'))
  const session = await hub.createSession('services')
  for (const path of [secret, '../../secret.txt', 'innocent.txt', '/etc/passwd']) {
    await session.run(`read ${path}`)
  }
  const everything = JSON.stringify(session.feed.events)
  expect(everything).not.toContain('top secret canary')
  expect(everything).not.toContain('root:')
  expect(readFileSync(secret, 'utf8')).toBe('top secret canary')
})

test('a command runs in a terminal of the hub, and the log shows it', async () => {
  const session = await hub.createSession('services')
  await allowAll(session, 'run echo from the terminal')
  const opened = await session.feed.until('terminal.opened')
  expect(opened.data).toMatchObject({ command: 'echo', cwd: repo })
  const exited = await session.feed.until('terminal.exited')
  expect(exited.data).toMatchObject({
    exitCode: 0,
    output: 'from the terminal\n',
    truncated: false,
  })
})

test('the log has the end of a long output, and a reference to all of it', async () => {
  const session = await hub.createSession('services')
  await allowAll(session, 'run seq 1 60000')
  const { output = '', truncated } = (await session.feed.until('terminal.exited')).data
  const all = Array.from({ length: 60_000 }, (_, at) => `${at + 1}\n`).join('')
  const cut = readCut(output)

  expect(truncated).toBe(false)
  expect(cut).toMatchObject({ is: 'end', bytes: all.length })
  expect(output.length).toBeLessThan(70_000)
  expect(all.endsWith(cut!.text)).toBe(true)
  expect(await (await hub.fetch(cut!.media)).text()).toBe(all)
})

test('people watch a command while it runs, from where they want, and not when it was released', async () => {
  const session = await hub.createSession('services')
  const gate = join(hub.folder, 'gate')
  const { turnId } = await session.prompt(
    `run sh -c "echo before; while [ ! -e ${gate} ]; do sleep 0.05; done; echo after; exit 3"`,
  )
  const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  await session.answer(asked.data.permissionId, asked.data.options[0]!.optionId)
  const { terminalId } = (await session.feed.until('terminal.opened')).data
  const [early, late] = [await openFeed(), await openFeed()]
  await early.watch(session.id, terminalId)
  await early.until(terminalId, /before\n/)
  await late.watch(session.id, terminalId, early.seen(terminalId).next)
  writeFileSync(gate, '')
  const exits = await Promise.all([early.exited(terminalId), late.exited(terminalId)])
  const { exitCode, signal } = (await session.feed.until('terminal.exited')).data
  expect({ exitCode, signal }).toEqual({ exitCode: 3, signal: null })
  for (const exit of exits)
    expect(exit).toEqual({ exitCode, signal, at: expect.stringMatching(/^\d{4}-.*Z$/) as string })
  expect(early.seen(terminalId).text).toBe('before\nafter\n')
  expect(late.seen(terminalId).text).toBe('after\n')

  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  await expect(early.watch(session.id, 'none')).rejects.toThrow('No such terminal')
  await expect(early.watch('none', terminalId)).rejects.toThrow('No such terminal')
})

async function openFeed(): Promise<TerminalFeed> {
  const feed = await TerminalFeed.open(hub.hub.address)
  onTestFinished(() => feed.close())
  return feed
}

test('a terminal that still runs ends with its session', async () => {
  const session = await hub.createSession('services')
  const { turnId } = await session.prompt('run sleep 600')
  const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  await session.answer(asked.data.permissionId, asked.data.options[0]!.optionId)
  await session.feed.until('terminal.opened')
  await hub.fetch(session.path, { method: 'DELETE' })
  const exited = await session.feed.until('terminal.exited')
  expect(exited.data.signal).not.toBeNull()
})

test('MCP servers of the settings reach the agent', async () => {
  const { id: repoId } = await hub.firstRepo()
  const mcpServers = [{ name: 'tiny', command: '/bin/true', args: [], env: [] }]
  const response = await hub.post('/api/sessions', { repoId, settings: { mcpServers } })
  const { id } = (await response.json()) as { id: string }
  await hub.post(`/api/sessions/${id}/prompt`, { text: 'mcp' })
  const feed = await hub.follow(id)
  await feed.until('turn.ended')
  expect(feed.text()).toContain('tiny')
})

test('an MCP server that is not as ACP describes it is refused, at the start and later', async () => {
  const { id: repoId } = await hub.firstRepo()
  const total = async () => (await hub.get<SessionList>('/api/sessions')).total
  const before = await total()
  const settings = { mcpServers: [{ name: 'x' }] }
  const refused = await hub.post('/api/sessions', { repoId, settings })
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    error: { code: 'invalid_settings', message: expect.stringContaining('in x, command') },
  })
  expect(await total()).toBe(before)
  const session = await hub.createSession()
  const changed = await hub.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings }),
  })
  expect(changed.status).toBe(422)
})

test.each([
  [
    'demo',
    '["tiny"]',
    ['over HTTP, so it works without web', 'over SSE, so it works without live'],
  ],
  ['all-inputs', '["tiny","web","live"]', []],
])('%s gets the MCP servers that it can use, and people see the others', async (...args) => {
  const [extensionId, names, notices] = args
  const { id: repoId } = await hub.firstRepo()
  const web = { name: 'web', url: 'http://127.0.0.1:9/mcp', headers: [] }
  const mcpServers = [
    { name: 'tiny', command: '/bin/true', args: [], env: [] },
    { ...web, type: 'http' },
    { ...web, name: 'live', type: 'sse' },
  ]
  const settings = { mcpServers }
  const response = await hub.post('/api/sessions', { repoId, extensionId, settings })
  const { id } = (await response.json()) as { id: string }
  await hub.post(`/api/sessions/${id}/prompt`, { text: 'mcp' })
  const feed = await hub.follow(id)
  await feed.until('turn.ended')
  expect(feed.text()).toContain(names)
  const noted = feed.events.flatMap((event) => (event.type === 'notice' ? [event.data] : []))
  expect(noted).toEqual(
    notices.map((words) => ({
      severity: 'warning',
      code: 'mcp_server_refused',
      message: expect.stringContaining(words) as string,
    })),
  )
})
