// The edges of an agent's process: a program that cannot be run, and a child that outlives a killed agent.
import { EventEmitter, once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorBody } from '@quayside/protocol'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { AgentProcess } from '../src/agents/connection/agent-process.js'
import { WireLog } from '../src/agents/wire/log/wire-log.js'
import { Redactor } from '../src/agents/wire/redact/redact.js'
import { MessageHooks } from '../src/message-hooks.js'
import { EXTENSIONS, startTestHub, type TestHub } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: EXTENSIONS } })
})
afterAll(() => hub[Symbol.asyncDispose]())

test('a program whose interpreter is missing, or that is not executable, is reported as such', async () => {
  const program = join(hub.folder, 'agent.sh')
  writeFileSync(program, '#!/no/such/interpreter\n')
  vi.stubEnv('NO_SUCH_AGENT_PATH', program)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { id: repoId } = await hub.firstRepo()
  const messageOf = async (): Promise<string> => {
    const response = await hub.post('/api/sessions', { repoId, extensionId: 'missing' })
    return ((await response.json()) as ErrorBody).error.message
  }
  expect(await messageOf()).toContain(`${program} is not executable. Allow it with: chmod +x`)
  chmodSync(program, 0o755)
  expect(await messageOf()).toBe(
    `The agent could not be started: "${program}" cannot be run: its interpreter /no/such/interpreter does not exist.`,
  )
})

test('a killed agent whose child answers "cancelled" has failed: nobody cancelled the turn', async () => {
  const session = await hub.createSession('demo')
  const { data } = await session.run('heir')
  expect(data).not.toHaveProperty('stopReason')
  expect(data.error?.message).toContain('was ended by SIGKILL')
  expect((await session.feed.until('session.ended')).data.status).toBe('error')
})

/** Leaves a child with its stdout, which writes a last line when it gets a signal. */
const AGENT_WITH_HEIR = `
  const heir = \`
    const send = (params) => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'heir', params }))
    process.on('SIGUSR2', () => { send({ last: 'words' }); process.exit() })
    setInterval(() => {}, 1e6)
    send({ pid: process.pid })\`
  process.stdin.once('data', (line) => {
    const { id } = JSON.parse(line)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1 } }))
    require('node:child_process').spawn(process.execPath, ['-e', heir], { stdio: 'inherit' })
  })`

function start(script: string, wireLog: WireLog, tap: (text: string) => void) {
  return AgentProcess.start({
    launch: { command: process.execPath, args: ['-e', script], env: {}, cwd: hub.folder },
    extensionId: 'edge',
    quirks: {},
    services: [],
    signInErrors: [],
    asksForWrites: false,
    isSensitivePath: () => false,
    timeoutMs: 30_000,
    wireLog,
    redactor: new Redactor([]),
    log: pino({ level: 'silent' }),
    hooks: new MessageHooks(),
    tap: (_, text) => tap(text),
    child: { lingerMs: 60_000 },
  })
}

function openWireLog(folder: string | undefined): WireLog {
  return new WireLog({ folder, redactor: new Redactor([]), log: pino({ level: 'silent' }) })
}

test('the wire file has the last words of a killed agent whose child holds its stdout', async () => {
  const folder = join(hub.folder, 'wire')
  const wireLog = openWireLog(folder)
  const heir = new EventEmitter()
  const started = once(heir, 'pid') as Promise<[number]>
  const agent = await start(AGENT_WITH_HEIR, wireLog, (text) => {
    const pid = /"pid":(\d+)/.exec(text)?.[1]
    if (pid !== undefined) heir.emit('pid', Number(pid))
  })
  const [pid] = await started
  process.kill(agent.pid!, 'SIGKILL')
  await agent.exited
  process.kill(pid, 'SIGUSR2')
  await agent.ending
  const file = join(folder, readdirSync(folder)[0]!)
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"last":"words"')
  await wireLog.close()
})

/** Answers the first request, and then no other. */
const SILENT_AGENT = `
  process.stdin.once('data', (line) => {
    const { id } = JSON.parse(line)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1 } }))
  })
  process.stdin.resume()`

test('a request that cannot be written ends the agent: no request waits for it', async () => {
  const agent = await start(SILENT_AGENT, openWireLog(undefined), () => undefined)
  const open = agent.prompt('session', [{ type: 'text', text: 'never answered' }])
  const unwritable = agent.request('session/new', { mcpServers: 1n })
  const failure = { code: 'agent_failed' }
  await expect(unwritable).rejects.toMatchObject(failure)
  await expect(open).rejects.toMatchObject(failure)
  expect((await agent.exited).cause).toBe('pipe_broken')
  await agent.ending
})
