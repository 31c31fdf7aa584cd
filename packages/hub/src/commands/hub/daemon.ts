// `quayside start --daemon`: a hub without a terminal. Its log is hub.log in the data directory, its pid is in hub.json.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePrivateFolder } from '../../store/data-files.js'
import { findLockHolder } from '../../store/data-lock.js'
import { dataDirectoryError } from '../../store/storage-error.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { findRunningHub, type HubAccess } from '../io/hub-access.js'
import { PROGRAMS } from '../../places.js'

/** A larger log becomes hub.log.old and replaces the earlier one. */
const MAX_LOG_BYTES = 2 * 1024 * 1024
const LOG_CHECK_MS = 2_000
const MAX_SHOWN_BYTES = 4096
const START_MS = 60_000
const POLL_MS = 100

export type Daemon = { readonly hub: HubAccess; readonly logFile: string; readonly isNew: boolean }

/** Resolves when the hub listens. A running hub is left as it is. */
export async function startDaemon(
  dataDir: string,
  args: readonly string[],
  { cwd, env }: Pick<CommandIo, 'cwd' | 'env'>,
): Promise<Daemon> {
  const logFile = logFileOf(dataDir)
  const running = await findRunningHub(dataDir)
  if (running) return { hub: running, logFile, isNew: false }
  const log = openLog(dataDir, logFile)
  const logStart = fstatSync(log).size
  // Its stdout shows a sign-in code, which must not be written to a file.
  const child = spawn(
    process.execPath,
    [PROGRAMS.quayside, 'start', '--log-file', logFile, ...args],
    {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', log],
    },
  )
  closeSync(log)
  await untilListening(child, dataDir)
  const hub = await findRunningHub(dataDir)
  child.unref()
  if (hub) return { hub, logFile, isNew: true }
  throw new CommandError(
    `The hub did not start:\n${readEnd(logFile, logStart)}\nLog: ${logFile}`,
    EXIT.failed,
  )
}

function openLog(dataDir: string, logFile: string): number {
  try {
    makePrivateFolder(dataDir)
    rotateLog(logFile)
    return openSync(logFile, 'a', 0o600)
  } catch (error) {
    throw dataDirectoryError(dataDir, error)
  }
}

/** Also resolves when the process has exited. */
async function untilListening(child: ChildProcess, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + START_MS
  const isListening = (): boolean => {
    const holder = findLockHolder(dataDir)
    return holder?.pid === child.pid && holder?.address !== undefined
  }
  while (child.exitCode === null && child.signalCode === null && !isListening()) {
    if (performance.now() > giveUpAt) {
      child.kill()
      return
    }
    await sleep(POLL_MS)
  }
}

export function logFileOf(dataDir: string): string {
  return join(dataDir, 'hub.log')
}

/** Rotates the log for as long as this process, which writes it, runs. The log is opened for appending, so truncating it is safe. */
export function keepLogSmall(file: string): void {
  setInterval(() => rotateLog(file), LOG_CHECK_MS).unref()
}

/** Synchronous: this process is the only writer, so no line is lost. */
function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= MAX_LOG_BYTES) return
  copyFileSync(file, `${file}.old`)
  truncateSync(file)
}

/** The text after `start`, at most its last part. */
function readEnd(file: string, start: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const from = Math.max(start, size - MAX_SHOWN_BYTES)
    const bytes = Buffer.alloc(size - from)
    readSync(descriptor, bytes, 0, bytes.length, from)
    return bytes.toString('utf8').trim()
  } finally {
    closeSync(descriptor)
  }
}
