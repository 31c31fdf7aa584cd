// One PostgreSQL server for the whole test run, started when the first test asks for it, in a folder that goes with it.
// It listens on a Unix socket alone, and trusts whoever can open it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { installPostgres, type PostgresPrograms } from '../../scripts/tools/postgres.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Unix socket that answers with the folder of the server's socket. */
    readonly postgres: string
  }
}

/** The user "nobody": PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534
const isRoot = process.getuid?.() === 0
/** For databases that are thrown away: nothing is flushed to the disk. */
const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '100',
  shared_buffers: '32MB',
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  let server: Promise<ChildProcess> | undefined
  const asked = createServer((socket) => {
    server ??= startServer(folder)
    server.then(
      () => socket.end(JSON.stringify({ folder })),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    )
  })
  const address = join(folder, 'ask')
  asked.listen(address)
  await once(asked, 'listening')
  asked.unref()
  project.provide('postgres', address)
  return async () => {
    asked.close()
    const child = await server?.catch(() => undefined)
    if (child) await stop(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startServer(folder: string): Promise<ChildProcess> {
  const programs = await installPostgres()
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) {
    chmodSync(folder, 0o711)
    for (const path of [folder, data]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED)
  }
  const { bin, ...options } = runnable(programs, folder)
  const user = ['-U', 'quayside', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  const init = ['-D', data, ...user, '--no-sync', '--no-instructions']
  await promisify(execFile)(join(bin, 'initdb'), init, options)
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', data, '-k', folder, ...settings]
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
  const child = spawn(join(bin, 'postgres'), args, { ...options, stdio })
  await ready(child)
  return child
}

/** Programs that the unprivileged user can reach: those of a clone in a private folder are copied. */
function runnable({ bin, root, env }: PostgresPrograms, folder: string) {
  const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  const options = { cwd: folder, ...user }
  if (!isRoot || root === undefined || isOpenToAll(root))
    return { ...options, bin, env: { ...process.env, ...env } }
  const copy = join(folder, 'programs')
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
  const moved = Object.entries(env).map(([name, path]) => [name, join(copy, relative(root, path))])
  const paths = Object.fromEntries(moved) as Record<string, string>
  return { ...options, bin: join(copy, relative(root, bin)), env: { ...process.env, ...paths } }
}

function isOpenToAll(path: string): boolean {
  const isEntered = (statSync(path).mode & 0o001) !== 0
  return isEntered && (dirname(path) === path || isOpenToAll(dirname(path)))
}

async function ready(child: ChildProcess): Promise<void> {
  const lines: string[] = []
  if (child.stderr === null) throw new Error('the server has no stderr')
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.includes('ready to accept connections')) {
      // Later lines are errors that tests cause. They must not fill the pipe.
      child.stderr.resume()
      return
    }
  }
  throw new Error(`The PostgreSQL server did not start: ${lines.join('\n').slice(-2_000)}`)
}

/** At once, without waiting for clients. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  await exited
}
