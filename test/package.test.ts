// The npm packages for a new user: each is one file, installed into an empty folder with an empty HOME, and works completely.
// The machine has no compiler: only the programs in PROGRAMS are on the PATH.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installNode22 } from '../scripts/tools/node22.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_BYTES = 3 * 1024 * 1024
const PROGRAMS = ['node', 'npm', 'npx', 'git', 'bash', 'sh', 'ps']
const TOKEN = 'a-token-for-the-package'

let folder: string
let app: string
let archive: string
let clientArchive: string
let address: string
let hub: ChildProcess | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-package-'))
  app = join(folder, 'app')
  mkdirSync(app)
  for (const name of ['home', 'bin', 'client']) mkdirSync(join(folder, name))
  for (const name of PROGRAMS) {
    const found = execFileSync('bash', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    symlinkSync(found, join(folder, 'bin', name))
  }
  execFileSync(process.execPath, [join(ROOT, 'scripts/package.mjs')], { stdio: 'pipe' })
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/hub/package.json'), 'utf8')) as {
    version: string
  }
  archive = join(ROOT, 'release', `quayside-${version}.tgz`)
  clientArchive = join(ROOT, 'release', `quayside-client-${version}.tgz`)
}, 300_000)

afterAll(async () => {
  if (hub?.exitCode === null && hub.signalCode === null) {
    process.kill(-hub.pid!, 'SIGKILL')
    await once(hub, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: join(folder, 'bin'),
    HOME: join(folder, 'home'),
    // Descriptions of packages in npm's cache are not requested again; fresh ones would prove no more.
    npm_config_cache: process.env['npm_config_cache'],
    npm_config_prefer_offline: 'true',
    QUAYSIDE_DEMO_PACE: '0',
    QUAYSIDE_TOKEN: TOKEN,
  }
}

function shell(command: string, cwd = app): string {
  const options = { cwd, env: environment(), stdio: 'pipe', encoding: 'utf8' } as const
  return execFileSync('bash', ['-ec', command], options)
}

test('the package holds what runs and nothing else', () => {
  const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n')
  const wanted =
    /\/(package\.json|README\.md|LICENSE)$|\.(js|d\.ts|sql|json|html|css|svg|png|woff2|webmanifest|br)$/
  expect(files.filter((file) => !wanted.test(file))).toEqual([])
  expect(files.filter((file) => /\/(src|test|tests)\/|\.test\.|\.env|\.npmrc/.test(file))).toEqual(
    [],
  )
  for (const part of ['hub/bundle/main.js', 'demo-agent/bundle/main.js', 'web/dist/index.html'])
    expect(files).toContain(`package/packages/${part}`)
  expect(statSync(archive).size).toBeLessThan(MAX_BYTES)
})

test('one command installs it, and another answers a prompt', () => {
  // As in most repositories: the hub takes a picture of all files that are not ignored before each turn.
  writeFileSync(join(app, '.gitignore'), 'node_modules\n')
  shell(`npm install --no-audit --no-fund --loglevel=error '${archive}' && git init -q`)
  const installed = join(app, 'node_modules', 'quayside')
  // Of the person; the run has a HOME of its own.
  const { homedir } = userInfo()
  const traces = [ROOT, homedir === '/' ? ROOT : `${homedir}/`]
  const betraying = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => traces.some((trace) => readFileSync(file).includes(trace)))
  expect(betraying).toEqual([])
  expect(shell('npx quayside run "echo Hello from a package"')).toBe('Hello from a package\n')
  expect(shell('node_modules/.bin/quayside agents')).toMatch(/^demo +installed/m)
})

test('a program of its own has the hub as a library', () => {
  writeFileSync(join(app, 'program.mjs'), PROGRAM)
  expect(shell('node program.mjs')).toBe('ok automation session/new\n')
})

const PROGRAM = `
import { createHub } from 'quayside'

const token = 'a-token-for-the-library'
const settings = { QUAYSIDE_LOG_LEVEL: 'silent' }
const hub = await createHub({ port: 0, roots: ['.'], dataDir: 'library', token, settings })
const { AgentChatClient } = await import('quayside/client')
const { name } = await new AgentChatClient({ url: hub.address, token }).me()
const methods = []
hub.on('client:message', ({ message }) => methods.push(message.method))
const { WebSocket } = await import('ws')
const { status } = await (await fetch(hub.address + '/api/health')).json()
const socket = new WebSocket(hub.address.replace('http', 'ws') + '/ws', {
  headers: { authorization: 'Bearer ' + token },
})
await new Promise((resolve) => socket.once('open', resolve))
socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/new', params: {} }))
await new Promise((resolve) => socket.once('message', resolve))
await hub.stop()
console.log(status, name, methods.join())
`

test('npx quayside start serves the page, and run works in it', async () => {
  hub = spawn('npx', ['quayside', 'start', '--port', '0'], {
    cwd: app,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  for await (const text of hub.stdout!.setEncoding('utf8')) {
    output += String(text)
    if (output.includes('#code=')) break
  }
  address = /http:\/\/[^/\s]+/.exec(output)![0]
  const page = await fetch(address)
  expect(page.status).toBe(200)
  const script = /src="([^"]+\.js)"/.exec(await page.text())![1]!
  const served = await fetch(new URL(script, address))
  expect(served.headers.get('content-type')).toContain('javascript')
  expect(shell('node_modules/.bin/quayside run "Show me around" --auto')).toContain('demo agent')
  expect(shell('node_modules/.bin/quayside sessions')).toContain('Show me around')
})

const CLIENT_PROGRAM = `
import { AgentChatClient } from '@quayside/client'

const WebSocket = globalThis.WebSocket ? undefined : (await import('ws')).WebSocket
const [, , url, repo] = process.argv
const client = new AgentChatClient({ url, token: process.env.QUAYSIDE_TOKEN, WebSocket })
const session = await client.newSession({ repo, agent: 'demo' })
console.log((await session.prompt('echo Hello from the client')).text)
await session.complete()
client.close()
`

test('the client installs alone, and talks to the hub from Node.js 20 and 22', async () => {
  const project = join(folder, 'client')
  const install = 'npm install --no-audit --no-fund --loglevel=error'
  // Node.js 20 has no WebSocket of its own.
  shell(`${install} '${clientArchive}' ws`, project)
  const installed = readdirSync(join(project, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  )
  expect(installed).toEqual(['@quayside', 'ws'])
  expect(readdirSync(join(project, 'node_modules/@quayside'))).toEqual(['client'])
  writeFileSync(join(project, 'program.mjs'), CLIENT_PROGRAM)
  const run = (node: string) => shell(`'${node}' program.mjs '${address}' '${app}'`, project)
  for (const node of ['node', await installNode22()])
    expect(run(node)).toBe('Hello from the client\n')
})
