// Signing in to agents, and adding and removing own agents, from the command line.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Extension } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withAgents } from '../src/commands/agents/with-agents.js'
import type { CommandIo } from '../src/commands/io/command-io.js'
import { EXIT } from '../src/commands/io/exit-codes.js'
import { loadConfig } from '../src/config/config.js'
import { CliFolder } from './cli-folder.js'
import type { TestHub } from './test-hub.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))

let folder: CliFolder
let hub: TestHub
let extensions: string
beforeAll(async () => {
  folder = new CliFolder()
  extensions = join(folder.path, 'data', 'extensions')
  mkdirSync(join(extensions, 'mine'), { recursive: true, mode: 0o700 })
  const entry = { id: 'mine', name: 'Mine', type: 'acp', path: 'mine', enabled: true }
  write('extensions.json', { extensions: [entry] })
  const env = { QUAYSIDE_DEMO_AUTH: '1', QUAYSIDE_DEMO_STATE_DIR: '${DATA_DIR}/mine' }
  write('mine/manifest.json', {
    id: 'mine',
    name: 'Mine',
    type: 'acp',
    agent: { command: '${NODE}', args: [DEMO], env },
    auth: { env: [{ name: 'MINE_KEY', label: 'A key' }] },
  })
  hub = await folder.startHub()
})
afterAll(() => folder[Symbol.asyncDispose]())

function write(file: string, content: object): void {
  writeFileSync(join(extensions, file), JSON.stringify(content))
}

test('Ctrl-C ends a command that runs agents as cancelled', async () => {
  const codes: number[] = []
  const stop = new Map<string, () => void>()
  const io = {
    exit: (code: number) => void codes.push(code),
    onSignal: (signal: string, listener: () => void) => {
      stop.set(signal, listener)
      return () => stop.delete(signal)
    },
  } as unknown as CommandIo
  const config = loadConfig({}, { QUAYSIDE_DATA_DIR: join(folder.path, 'data') }, folder.path)
  await withAgents(config, io, async () => stop.get('SIGINT')?.())
  expect({ codes, left: stop.size }).toEqual({ codes: [EXIT.cancelled], left: 0 })
})

test('at a terminal agents are a table with one row each, within the width', async () => {
  const screen = folder.start(['agents'], { isTerminal: true })
  await screen.ended
  const lines = stripVTControlCharacters(screen.stdout).trimEnd().split('\n')
  expect(lines[0]).toMatch(/^AGENT +STATE +PROGRAM/)
  expect(lines).toContainEqual(expect.stringMatching(/^demo +default +\//))
  expect(lines).toContainEqual(expect.stringMatching(/^gemini +(not )?installed +\S/))
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(120)
})

test('without a terminal the ways to sign in are listed', async () => {
  const { code, stderr } = await folder.run(['agents', 'login', 'mine'])
  expect(code).toBe(2)
  for (const way of ['MINE_KEY', 'demo-login', 'demo-terminal']) expect(stderr).toContain(way)
  expect((await folder.run(['agents', 'login', 'mine', '--method', 'odd'])).code).toBe(2)
  expect((await folder.run(['agents', 'login', 'nobody'])).code).toBe(5)
})

test('a person signs in in the terminal of the agent, which is this one', async () => {
  const screen = folder.start(['agents', 'login', 'mine'], { isTerminal: true })
  await screen.until('A number from 1 to 3')
  screen.type('3\r')
  await screen.until('Press Enter to sign in')
  screen.type('\r')
  await screen.until('You are signed in.')
  await screen.until('ready in')
  expect(await screen.ended).toMatchObject({ code: 0 })
  const again = await folder.run(['agents', 'login', 'mine'])
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('No sign-in is needed') })
})

test('an agent signs in by itself, and a key is kept by the hub', async () => {
  const itself = await folder.run(['agents', 'login', 'mine', '--method', 'demo-login'])
  expect(itself).toMatchObject({ code: 0, stderr: expect.stringContaining('ready') })
  const key = ['agents', 'login', 'mine', '--method', 'MINE_KEY']
  expect((await folder.run(key)).code).toBe(2)
  expect((await folder.run(key, { input: 'secret-of-mine\n' })).code).toBe(0)
  const env = await folder.run(['run', 'env', '--agent', 'mine'])
  expect(env.stdout).toContain('MINE_KEY')
})

test('an agent of the registry is added to the running hub, and removed from it', async () => {
  const registry = join(folder.path, 'agent.json')
  const start = { package: 'x-agent', args: ['--acp'] }
  const entry = { id: 'x-agent', name: 'X', distribution: { npx: start } }
  writeFileSync(registry, JSON.stringify(entry))
  const add = await folder.run(['agents', 'add', '--from', registry])
  expect(add).toMatchObject({ code: 0, stdout: expect.stringContaining('The running hub uses it') })
  const find = (id: string) => hub.get<Partial<Extension>>(`/api/extensions/${id}`)
  expect(await find('x-agent')).toMatchObject({ name: 'X', isOwn: true, state: 'enabled' })
  expect((await folder.run(['agents', 'rm', 'x-agent', '--yes'])).code).toBe(0)
  expect(await find('x-agent')).toMatchObject({ error: { code: 'extension_not_found' } })

  // An agent that replaces a shipped one, which is back afterwards.
  writeFileSync(registry, JSON.stringify({ ...entry, id: 'goose' }))
  await folder.run(['agents', 'add', '--from', registry, '--force'])
  expect(await find('goose')).toMatchObject({ name: 'X', isOwn: true })
  await folder.run(['agents', 'rm', 'goose', '--yes'])
  expect(await find('goose')).toMatchObject({ name: 'goose', state: 'enabled' })
})

test("one's own agent is removed when somebody means it, and the shipped ones stay", async () => {
  expect((await folder.run(['agents', 'rm', 'mine'])).code).toBe(2)
  expect(existsSync(join(extensions, 'mine'))).toBe(true)
  expect((await folder.run(['agents', 'rm', 'mine', '--yes'])).code).toBe(0)
  expect(existsSync(join(extensions, 'mine'))).toBe(false)
  const { stdout } = await folder.run(['agents'])
  expect(stdout).toMatch(/^demo /m)
  expect(stdout).not.toMatch(/^mine /m)
  expect(await folder.run(['agents', 'rm', 'demo', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not one of your own'),
  })
})
