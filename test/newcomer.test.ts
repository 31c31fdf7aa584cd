// A newcomer's first start: a fresh copy of the repository, an empty HOME, the README's own commands, a streamed answer.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

let folder: string
let clone: string
let port: number
let hub: ChildProcess | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-newcomer-'))
  clone = join(folder, 'quayside')
  mkdirSync(join(folder, 'home'))
  copyTrackedFiles(clone)
  port = await freePort()
})

afterAll(async () => {
  if (hub?.exitCode === null && hub.signalCode === null) {
    process.kill(-hub.pid!, 'SIGKILL')
    await once(hub, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

test('the README alone leads from a clone to a streamed answer, and the second start is quick', async () => {
  const [start, session, answer] = shellBlocks('A first session with curl')
  const first = await startHub(start!)
  expect(first.output).toContain('Installing packages')

  const { output } = await shell(`${session!}\n${answer!}`)
  expect(output).toContain('"queued":false')
  expect(output).toMatch(/^id: 1$/m)
  expect(output).toContain('"type":"permission.requested"')
  expect(output).toContain('"reason":"answered"')
  expect(output).toContain('"type":"turn.ended"')
  expect(output).toContain('"role":"agent"')
  await stopHub()

  const second = await startHub(start!)
  expect(second.output).not.toContain('Installing packages')
  expect(second.output).not.toContain('Building')
  await stopHub()
})

/** The `sh` blocks under a heading of the README, with a free port and the token that a person would copy over. */
function shellBlocks(heading: string): string[] {
  const section = README.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) =>
    code!.replaceAll('4444', String(port)),
  )
}

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    // Uses npm's cache on this machine; a cold cache would prove no more.
    npm_config_cache: process.env['npm_config_cache'],
    GEMINI_PORT: String(port),
    QUAYSIDE_TOKEN: 'token-of-a-newcomer',
  }
}

async function startHub(block: string): Promise<{ output: string }> {
  const commands = block.replace(/^export QUAYSIDE_TOKEN=.*$/m, '')
  hub = spawn('bash', ['-ec', commands], { cwd: clone, env: environment(), detached: true })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [hub!.stdout!, hub!.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (/#code=\S+/.test(output)) resolve()
      })
    hub!.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)))
  })
  return { output }
}

async function stopHub(): Promise<void> {
  const ended = once(hub!, 'exit')
  process.kill(-hub!.pid!, 'SIGINT')
  await ended
}

async function shell(commands: string): Promise<{ output: string }> {
  const child = spawn('bash', ['-ec', commands], {
    cwd: clone,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output }
}

/** The files of a clone, including uncommitted changes; as a repository, so that there is one to work in. */
function copyTrackedFiles(target: string): void {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT })
  const files = list.toString('utf8').split('\0').filter(Boolean)
  for (const file of files.filter((name) => existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(ROOT, file), join(target, file), { verbatimSymlinks: true })
  }
  execFileSync('git', ['init', '-q'], { cwd: target })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
