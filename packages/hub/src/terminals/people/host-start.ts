// Starts the host of a person's terminal, detached from the hub: its own session, no pipes.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { HubError, messageOfError } from '../../errors.js'
import { PROGRAMS } from '../../places.js'
import { requireSpawned } from '../../process/require-spawned.js'
import { type HostLaunch, type HostStarted, readLines } from '../host/host-protocol.js'

type HostProcess = ChildProcessByStdio<Writable, Readable, null>

const START_DEADLINE_MS = 15_000

/** Resolves when the host listens. Throws `terminals_unavailable` or `terminal_failed`, and leaves no process behind. */
export async function startHost(
  launch: HostLaunch,
  hostEnv: Readonly<Record<string, string>>,
): Promise<void> {
  const { PATH, LD_LIBRARY_PATH } = process.env
  const host = spawn(process.execPath, [PROGRAMS.terminalHost, launch.terminal.id], {
    detached: true,
    cwd: '/',
    // The program's environment goes through stdin, because other processes can read the environment of the host.
    env: { PATH, LD_LIBRARY_PATH, ...hostEnv },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  requireSpawned(host)
  try {
    const { error } = await readStart(host, launch)
    if (error?.code === 'no_pty')
      throw new HubError('terminals_unavailable', { reason: error.message })
    if (error) throw new HubError('terminal_failed', { message: error.message })
  } catch (error) {
    host.kill('SIGKILL')
    if (error instanceof HubError) throw error
    const message = `The terminal could not be started: ${messageOfError(error)}`
    throw new HubError('terminal_failed', { message }, { cause: error })
  } finally {
    host.unref()
  }
}

/** Reads the host's only line. */
async function readStart(host: HostProcess, launch: HostLaunch): Promise<HostStarted> {
  let problem: unknown = new Error('its host did not answer.')
  host.once('error', (error) => (problem = error))
  host.stdin.on('error', () => undefined)
  host.stdin.end(JSON.stringify(launch))
  const late = setTimeout(() => host.kill('SIGKILL'), START_DEADLINE_MS)
  try {
    for await (const line of readLines(host.stdout)) return JSON.parse(line) as HostStarted
    throw problem
  } finally {
    clearTimeout(late)
  }
}
