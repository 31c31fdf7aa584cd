// Terminals outlive the hub, however it ends, and are closed with all their processes.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionSummary, Terminal } from '@quayside/protocol'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openHubId } from '../src/process/process-tag.js'
import { TerminalSockets } from '../src/terminals/people/terminal-sockets.js'
import { findProcess, processTable, tagged, untilNone } from './orphans-fixture.js'
import {
  askChild,
  endAllTerminals,
  feedOf,
  hostOf,
  makeTerminalFolder,
  openInChild,
  peopleTerminals,
  PLAIN,
  startChildIn,
  TerminalHub,
  untilGone,
} from './terminal-fixture.js'

const listOf = (hub: Parameters<typeof askChild>[0]) =>
  askChild<{ terminals: Terminal[] }>(hub, '/api/terminals')

/** For tests that do not end the terminal. */
let terminals: TerminalHub
beforeAll(async () => {
  terminals = await TerminalHub.start()
})
afterEach(() => terminals.closeAll())
afterAll(() => terminals[Symbol.asyncDispose]())

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a terminal keeps running when the hub is ended by %s, and its output is there afterwards',
  async (signal) => {
    const folder = makeTerminalFolder()
    const hub = await startChildIn(folder)
    const { repo, terminal } = await openInChild(hub)
    const { id } = terminal
    // With an agent, so that the end of the hub has a process to end.
    await askChild<SessionSummary>(hub, '/api/sessions', { repoId: repo.id, extensionId: 'demo' })
    const feed = await feedOf(hub)
    await feed.follow(id)
    await feed.type(id, 'kept=here; echo be""fore\n')
    await feed.until(id, /before\r\n/)
    await feed.type(id, 'while [ ! -e go ]; do sleep 0.05; done; echo mean""while; touch done\n')
    await feed.until(id, /touch done\r\n/)
    const { next } = feed.seen(id)

    await hub.stop(signal)
    const hubId = openHubId(join(folder, 'data'))
    await untilNone(() => tagged(hubId))
    writeFileSync(join(repo.path, 'go'), '')
    await expect.poll(() => existsSync(join(repo.path, 'done'))).toBe(true)

    const second = await startChildIn(folder)
    expect((await listOf(second)).terminals).toEqual([terminal])
    const again = await feedOf(second)
    await again.follow(id, next)
    await again.until(id, /meanwhile/)
    await again.type(id, 'echo "still $kept"; exit 3\n')
    await again.until(id, /still here/)
    expect(await again.exited(id)).toMatchObject({ exitCode: 3 })
    expect(again.seen(id).text).not.toContain('before')
  },
)

test('closing a terminal ends everything that was started in it, also what left it', async () => {
  const { id, feed } = await terminals.open()
  const stay = 'echo "$0 is $$."; exec sleep 600'
  const commands = [
    `sh -c '${stay}' background &`,
    `nohup sh -c '${stay}' nohup < /dev/null 2>&1 | cat &`,
    `(setsid sh -c '${stay}' daemon &)`,
    `(setsid sh -c 'trap "" HUP INT TERM; echo "$0 is $$."; while :; do sleep 600; done' stubborn &)`,
    `env -i PATH="$PATH" sh -c 'trap "" HUP; ${stay}' cleared &`,
  ]
  for (const command of commands) await feed.type(id, `${command}\n`)
  const pids: number[] = []
  for (const name of ['background', 'nohup', 'daemon', 'stubborn', 'cleared'])
    pids.push(Number((await feed.until(id, new RegExp(`${name} is (\\d+)\\.`)))[1]))
  const [terminal] = await terminals.list()
  const host = hostOf(terminal!)
  const all = [terminal!.pid, ...pids]
  expect(all.filter((pid) => findProcess(pid))).toEqual(all)

  const [first, second] = await Promise.all([terminals.close(id), terminals.close(id)])

  expect([first.status, second.status]).toEqual([204, 204])
  expect(all.filter((pid) => findProcess(pid))).toEqual([])
  await untilGone([host])
  expect(await feed.exited(id)).not.toBeUndefined()
  expect((await terminals.close(id)).status).toBe(404)
  expect(readdirSync(join(terminals.hub.folder, 'data', 'terminals'))).toEqual([])
})

test('a shell that ignores the end is ended all the same', async () => {
  const script = 'trap "" HUP INT TERM; echo ready; while :; do sleep 1; done'
  const { id, feed } = await terminals.open({ args: ['-c', script] })
  await feed.until(id, /ready/)
  const { error } = await feed.call('terminal/close', { terminalId: id })
  expect(error).toBeUndefined()
  expect(await feed.exited(id)).toMatchObject({ signal: 'SIGKILL' })
  expect(await terminals.list()).toEqual([])
})

test('a host that stands still is ended all the same', async () => {
  const terminal = await terminals.create()
  const host = hostOf(terminal)
  process.kill(host, 'SIGSTOP')
  expect((await terminals.close(terminal.id)).status).toBe(204)
  await untilGone([host, terminal.pid])
})

test('a killed host ends its terminal, and followers are notified', async () => {
  const terminal = await terminals.create()
  const feed = await terminals.feed()
  await feed.follow(terminal.id)
  await feed.until(terminal.id, /\S/)
  process.kill(hostOf(terminal), 'SIGKILL')
  expect(await feed.exited(terminal.id)).toBeNull()
  await untilGone([terminal.pid])
  expect(await terminals.list()).toEqual([])
  const folder = join(terminals.hub.folder, 'data', 'terminals')
  await untilNone(() => readdirSync(folder))
})

test('a socket that a killed host left is removed at the next start', async () => {
  const folder = makeTerminalFolder()
  const hub = await startChildIn(folder)
  const { terminal } = await openInChild(hub)
  const host = hostOf(terminal)
  await hub.stop('SIGKILL')
  process.kill(host, 'SIGKILL')
  await untilGone([host, terminal.pid])
  expect(readdirSync(join(folder, 'data', 'terminals'))).toHaveLength(1)
  const second = await startChildIn(folder)
  expect((await listOf(second)).terminals).toEqual([])
  expect(readdirSync(join(folder, 'data', 'terminals'))).toEqual([])
})

test('a terminal that has ended is kept for a while, then its host goes by itself', async () => {
  const folder = makeTerminalFolder()
  const people = peopleTerminals(folder, { keepExitedMs: 300 })
  const { id, ...terminal } = await people.create({
    ...PLAIN,
    repoId: 'r',
    args: ['-c', 'echo x; read line'],
  })
  const host = hostOf({ id, ...terminal })
  people.write(id, '\n')
  const seen: string[] = []
  for await (const frame of people.follow(id, 0, AbortSignal.timeout(30_000))) seen.push(frame.is)
  expect(seen.at(-1)).toBe('exited')
  await untilGone([host])
  await untilNone(() => people.list())
  expect(readdirSync(join(folder, 'data', 'terminals'))).toEqual([])
})

test('a terminal that can never be reached again ends by itself', async () => {
  const folder = makeTerminalFolder()
  const people = peopleTerminals(folder)
  const terminal = await people.create({ ...PLAIN, repoId: 'r' })
  const host = hostOf(terminal)
  people.close()
  rmSync(join(folder, 'data'), { recursive: true })
  await untilNone(() => [host, terminal.pid].flatMap((pid) => findProcess(pid) ?? []), 50_000)
})

test('only the owner reaches a terminal', async () => {
  await terminals.create()
  const folder = join(terminals.hub.folder, 'data', 'terminals')
  const [socket] = readdirSync(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, socket!)).mode & 0o777).toBe(0o600)
})

test('a data directory with a long name has terminals too, and finds them again', async () => {
  const folder = makeTerminalFolder()
  const dataDir = join(folder, 'long-name-'.repeat(12))
  mkdirSync(dataDir)
  const first = peopleTerminals(folder, { dataDir })
  const { id } = await first.create({ ...PLAIN, repoId: 'r' })
  const path = new TerminalSockets(dataDir).pathOf(id)
  onTestFinished(async () => {
    await endAllTerminals(dataDir)
    rmSync(dirname(path), { recursive: true })
  })
  expect(path).toMatch(/^\/tmp\/quayside-[0-9a-f]{16}\//)
  first.close()
  const second = peopleTerminals(folder, { dataDir })
  await second.findAll()
  expect(second.list().map((terminal) => terminal.id)).toEqual([id])
  await second.end(id)
  expect(existsSync(path)).toBe(false)
})

test('without the native part terminals report so, and nothing is left running', async () => {
  const folder = makeTerminalFolder()
  const breaker = join(folder, 'no-native-part.cjs')
  writeFileSync(
    breaker,
    `const { Module } = require('node:module')
     const find = Module._resolveFilename
     Module._resolveFilename = (name, ...rest) => {
       if (name.endsWith('/pty.node')) throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' })
       return find(name, ...rest)
     }`,
  )
  const people = peopleTerminals(folder)
  const processes = {
    hostEnv: { NODE_OPTIONS: `--require ${breaker}`, QUAYSIDE_OWNER: `test:${folder}` },
    programEnv: () => ({}),
    endAll: () => Promise.resolve(),
  }
  const broken = peopleTerminals(folder, { processes })
  const input = { ...PLAIN, repoId: 'r' }
  await expect(broken.create(input)).rejects.toMatchObject({
    code: 'terminals_unavailable',
    status: 501,
  })
  expect(broken.list()).toEqual([])
  await untilNone(() => processTable().filter(({ owner }) => owner === `test:${folder}`))
  const { id } = await people.create(input)
  onTestFinished(() => people.end(id))
})
