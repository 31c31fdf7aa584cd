// `quayside start --daemon`: a hub that belongs to no terminal. Its log is hub.log in the data directory, its number stands in hub.json.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findLockHolder } from '../../store/data-lock.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { findRunningHub, type HubAccess } from '../io/hub-access.js'
import { PROGRAMS } from '../../places.js'

/** A larger one becomes hub.log.old, in place of the one before. */
const MAX_LOG_BYTES = 2 * 1024 * 1024
const LOOK_AT_LOG_MS = 2_000
const MAX_SHOWN_BYTES = 4096
const START_MS = 60_000
const LOOK_AGAIN_MS = 100

export type Daemon = { readonly hub: HubAccess; readonly logFile: string; readonly isNew: boolean }

/** Resolves when it listens. One that runs already is left as it is. */
export async function startDaemon(
  dataDir: string,
  args: readonly string[],
  { cwd, env }: CommandIo,
): Promise<Daemon> {
  const logFile = logFileOf(dataDir)
  const running = await findRunningHub(dataDir)
  if (running) return { hub: running, logFile, isNew: false }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  setAside(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  // What it prints holds a sign-in code, which belongs into no file.
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
    `The hub did not start:\n${readEnd(logFile, logStart)}\nIts log: ${logFile}`,
    EXIT.failed,
  )
}

/** Also resolves when it has ended instead. */
async function untilListening(child: ChildProcess, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + START_MS
  const isThere = (): boolean => {
    const holder = findLockHolder(dataDir)
    return holder?.pid === child.pid && holder?.address !== undefined
  }
  while (child.exitCode === null && child.signalCode === null && !isThere()) {
    if (performance.now() > giveUpAt) {
      child.kill()
      return
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

export function logFileOf(dataDir: string): string {
  return join(dataDir, 'hub.log')
}

/** For the hub that writes it, as long as it runs. What it writes goes to the end of the file, wherever that is by then. */
export function keepLogSmall(file: string): void {
  setInterval(() => setAside(file), LOOK_AT_LOG_MS).unref()
}

/** Nothing is written meanwhile: the only writer is this process. */
function setAside(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= MAX_LOG_BYTES) return
  copyFileSync(file, `${file}.old`)
  truncateSync(file)
}

/** What was written since `start`, or the end of it. */
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
