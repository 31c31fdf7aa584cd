// A PostgreSQL server of our own in a folder, for tests and benchmarks. It listens on a Unix socket alone, and trusts whoever can open it.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { installPostgres } from './postgres.mjs'

/** The user "nobody": PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534
const isRoot = process.getuid?.() === 0
/** For databases that are thrown away: nothing is flushed to the disk. */
const THROWN_AWAY = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '32MB',
}
/** The same, for a server that a standby follows. */
export const REPLICATED = {
  ...THROWN_AWAY,
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '100ms',
}
/** A copy of a server that runs does not have these. */
const OF_THE_RUN = ['postmaster.pid', 'postmaster.opts', 'pg_wal']
const ALWAYS = { listen_addresses: '', jit: 'off', max_connections: '100' }

/** Makes an empty server in `folder`, which exists, and starts it. */
export async function startPostgres(folder, settings = THROWN_AWAY) {
  const programs = await installPostgres()
  const data = join(folder, 'data')
  makeFolder(data)
  openToUser(folder)
  const { bin, ...options } = runnable(programs, folder)
  const user = ['-U', 'quayside', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  const init = ['-D', data, ...user, '--no-sync', '--no-instructions']
  await promisify(execFile)(join(bin, 'initdb'), init, options)
  const server = new PostgresServer(folder, { bin, options, settings: { ...ALWAYS, ...settings } })
  await server.start()
  return server
}

export class PostgresServer {
  #child
  #launch

  constructor(folder, launch) {
    this.folder = folder
    this.#launch = launch
  }

  get pid() {
    return this.#child.pid
  }

  addressOf(database) {
    return `postgres://quayside@localhost/${database}?host=${encodeURIComponent(this.folder)}`
  }

  /** A server in `folder` with a copy of the data, not started. This one runs, between `pg_backup_start` and `pg_backup_stop`. */
  async copyTo(folder) {
    const data = join(folder, 'data')
    rmSync(data, { recursive: true, force: true })
    openToUser(folder)
    await promisify(execFile)('cp', ['-a', join(this.folder, 'data'), data]).catch((error) => {
      // A server that runs removes files meanwhile. Its log has them.
      if (!/^(cp: .*No such file.*\n)+$/.test(error.stderr)) throw error
    })
    for (const name of OF_THE_RUN) rmSync(join(data, name), { recursive: true, force: true })
    makeFolder(join(data, 'pg_wal'))
    return new PostgresServer(folder, this.#launch)
  }

  /** Starts a copy as a standby that streams from `primary`. `label` is from `pg_backup_stop`. */
  async follow(primary, label) {
    const data = join(this.folder, 'data')
    for (const [name, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
      writeFileSync(join(data, name), text)
      giveToUser(join(data, name))
    }
    const source = `host=${primary.folder} user=quayside dbname=postgres`
    const settings = { ...this.#launch.settings, primary_conninfo: source }
    this.#launch = { ...this.#launch, settings }
    await this.start()
  }

  /** Also after a stop: with the data it had. */
  async start() {
    const { bin, options, settings } = this.#launch
    const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const args = ['-D', join(this.folder, 'data'), '-k', this.folder, ...set]
    const child = spawn(join(bin, 'postgres'), args, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await ready(child)
    this.#child = child
  }

  /** SIGINT ends connections, SIGQUIT also skips the last checkpoint, as a crash does. */
  async stop(signal = 'SIGINT') {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
}

function makeFolder(path) {
  mkdirSync(path, { mode: 0o700 })
  giveToUser(path)
}

function openToUser(folder) {
  if (isRoot) chmodSync(folder, 0o711)
  giveToUser(folder)
}

function giveToUser(path) {
  if (isRoot) chownSync(path, UNPRIVILEGED, UNPRIVILEGED)
}

/** Programs that the unprivileged user can reach: those of a clone in a private folder are copied. */
function runnable({ bin, root, env }, folder) {
  const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  const options = { cwd: folder, ...user }
  if (!isRoot || root === undefined || isOpenToAll(root))
    return { ...options, bin, env: { ...process.env, ...env } }
  const copy = join(folder, 'programs')
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
  const moved = Object.entries(env).map(([name, path]) => [name, join(copy, relative(root, path))])
  const paths = Object.fromEntries(moved)
  return { ...options, bin: join(copy, relative(root, bin)), env: { ...process.env, ...paths } }
}

function isOpenToAll(path) {
  const isEntered = (statSync(path).mode & 0o001) !== 0
  return isEntered && (dirname(path) === path || isOpenToAll(dirname(path)))
}

async function ready(child) {
  const lines = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (/ready to accept (read-only )?connections/.test(line)) {
      // Later lines are errors that clients cause. They must not fill the pipe.
      child.stderr.resume()
      return
    }
  }
  throw new Error(`The PostgreSQL server did not start: ${lines.join('\n').slice(-2_000)}`)
}
