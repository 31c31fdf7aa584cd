// A folder for all files of one test run, and a check that the run leaves no file and no process behind.
// The run's programs get the folder as TMPDIR, and an empty one in it as HOME. The next run cleans up after a killed one.
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const NAME = /^quayside-run-(\d+)-/
const HOME = 'home'
/** A watchdog or a terminal's host exits within seconds after its hub. */
const LEAVE_MS = 15_000
const LOOK_AGAIN_MS = 50
const MAX_ROUNDS = 100
/** A file system in memory on Linux. */
const MEMORY = '/dev/shm'
const GIB = 2 ** 30
/** A run needs about two. */
const NEEDED = { onIt: 4 * GIB, inMemory: 8 * GIB }
/** Chromium ends with the worker that launched it and may have no time to remove its own folders. */
const OF_CHROMIUM = /^(\.org\.chromium\.|playwright)/

/**
 * The run's own home folder, because a shell that a test ends while it reads a person's profile may leave a lock there
 * (pyenv's makes every later shell wait a minute).
 */
export const homeIn = (folder) => join(folder, HOME)

/** Creates the folder of this run, and removes those of dead runs. */
export function openRunFolder() {
  const parent = realpathSync(hasRoomInMemory() ? MEMORY : tmpdir())
  for (const name of readdirSync(parent)) {
    const owner = NAME.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) clear(join(parent, name))
  }
  const folder = mkdtempSync(join(parent, `quayside-run-${process.pid}-`))
  // PostgreSQL refuses to run as root: its server runs as another user, who may enter the folder and not list it.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  mkdirSync(homeIn(folder))
  return folder
}

/**
 * True when the run's files fit into memory, where creating, syncing and removing them takes a third less of the system's time.
 * A TMPDIR that a person has set is respected.
 */
function hasRoomInMemory() {
  if (process.env.TMPDIR !== undefined) return false
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > NEEDED.onIt && freemem() > NEEDED.inMemory && runsProgramsIn(MEMORY)
  } catch {
    return false
  }
}

/** Throws where programs may not run, such as in most containers. */
function runsProgramsIn(parent) {
  const folder = mkdtempSync(join(parent, 'quayside-look-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return true
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Waits until the run's processes have ended. Returns the leftovers, one line each, and removes them. */
export async function closeRunFolder(folder, leaveMs = LEAVE_MS) {
  const giveUpAt = performance.now() + leaveMs
  while (processesOf(folder).length > 0 && performance.now() < giveUpAt) await sleep(LOOK_AGAIN_MS)
  const left = [
    ...processesOf(folder).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...readdirSync(folder)
      .filter((name) => name !== HOME && !OF_CHROMIUM.test(name))
      .map((name) => `folder ${join(folder, name)}`),
  ]
  clear(folder)
  return left
}

/** Ends the run's processes, also those that they start meanwhile, and removes its folder. */
export function clear(folder) {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = processesOf(folder)
    if (found.length === 0) break
    for (const { pid } of found) kill(pid)
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** The processes that were started in the folder, for it, or with it as their TMPDIR. Linux only: elsewhere the list is empty. */
function processesOf(folder) {
  return readdirIfThere('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => factsOf(pid).some((fact) => fact.includes(folder)))
    .map((pid) => ({ pid: Number(pid), command: factsOf(pid)[0].replaceAll('\0', ' ').trim() }))
}

function factsOf(pid) {
  return [
    read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    read(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    read(() => readlinkSync(`/proc/${pid}/cwd`)),
  ]
}

/** A process may end during the inspection, or belong to another user. */
function read(look) {
  try {
    return look()
  } catch {
    return ''
  }
}

function readdirIfThere(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has ended by itself, or belongs to another user.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
