// Lists the processes of this machine with their owner tags. Complete on Linux (/proc). On macOS `ps` does not show the
// environment of Apple's binaries (they are attributed by parent), and start times are in seconds. Elsewhere unsupported.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { findCgroup, findCgroupOwner } from './cgroup.js'
import { findOwner, OWNER_VARIABLE } from './process-tag.js'

export type ProcessEntry = {
  readonly pid: number
  readonly ppid: number
  readonly pgid: number
  readonly name: string
  readonly rssBytes: number
  /** For comparison only: the same pid with another start time is another process. */
  readonly startTime: number
  readonly isZombie: boolean
  /** The value of QUAYSIDE_OWNER it was started with, else the tag of its cgroup. */
  readonly owner: string | undefined
}

export type ProcessTable = readonly ProcessEntry[] | 'unsupported'

export const CAN_LIST_PROCESSES = process.platform === 'linux' || process.platform === 'darwin'

/** Synchronous, so that it also works while the hub exits. Reads owners only of processes started at `since` or later. */
export function readProcessTable(since = 0): ProcessTable {
  if (process.platform === 'linux') return readProc(since)
  if (process.platform === 'darwin') return readPs()
  return 'unsupported'
}

/** Undefined when there is no such process, or the platform does not report start times. */
export function findStartTime(pid: number): number | undefined {
  return process.platform === 'linux' ? readProcEntry(pid, Infinity)?.startTime : undefined
}

function readProc(since: number): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readProcEntry(Number(pid), since))
    .filter((entry) => entry !== undefined)
}

function readProcEntry(pid: number, since: number): ProcessEntry | undefined {
  const stat = readProcFile(`/proc/${pid}/stat`)
  const entry = stat === undefined ? undefined : parseStat(stat)
  if (entry === undefined || entry.startTime < since) return entry
  const owner = findOwner(readProcFile(`/proc/${pid}/environ`) ?? '')
  return { ...entry, owner: owner ?? readCgroupOwner(entry) }
}

function readCgroupOwner({ pid, isZombie }: ProcessEntry): string | undefined {
  if (isZombie || findCgroup() === undefined) return undefined
  return findCgroupOwner(readProcFile(`/proc/${pid}/cgroup`) ?? '')
}

/** One line of `/proc/<pid>/stat`. The name stands in parentheses and may itself contain them. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const nameEnd = stat.lastIndexOf(')')
  const nameStart = stat.indexOf('(')
  const fields = stat.slice(nameEnd + 2).split(' ')
  const [state, ppid, pgid] = fields
  if (nameStart < 0 || fields.length < 22 || state === undefined) return undefined
  return {
    pid: Number.parseInt(stat, 10),
    ppid: Number(ppid),
    pgid: Number(pgid),
    name: stat.slice(nameStart + 1, nameEnd),
    startTime: Number(fields[19]),
    rssBytes: Number(fields[21]) * pageBytes(),
    isZombie: state === 'Z' || state === 'X',
    owner: undefined,
  }
}

let buffer = Buffer.alloc(64 * 1024)

/** Half the cost of readFileSync; there are hundreds of these files. */
function readProcFile(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      let length = readSync(file, buffer, 0, buffer.length, 0)
      while (length === buffer.length) {
        buffer = Buffer.alloc(buffer.length * 2)
        length = readSync(file, buffer, 0, buffer.length, 0)
      }
      return buffer.toString('latin1', 0, length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined
    throw error
  }
}

function isGoneOrForeign(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM'
}

let knownPageBytes: number | undefined

/** Read from the auxiliary vector, because Node does not expose it: 16 or 64 KiB on some ARM machines. */
function pageBytes(): number {
  knownPageBytes ??= process.platform === 'linux' ? findPageBytes() : undefined
  return knownPageBytes ?? 4096
}

function findPageBytes(): number | undefined {
  const AT_PAGESZ = 6n
  const vector = readFileSync('/proc/self/auxv')
  for (let at = 0; at + 16 <= vector.length; at += 16)
    if (vector.readBigUInt64LE(at) === AT_PAGESZ) return Number(vector.readBigUInt64LE(at + 8))
  return undefined
}

function readPs(): ProcessEntry[] {
  // -E appends the environment to the command, for processes of the same user.
  const columns = 'pid=,ppid=,pgid=,rss=,state=,lstart=,command='
  const output = execFileSync('/bin/ps', ['-axwwEo', columns], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { LC_ALL: 'C' },
  })
  return output.split('\n').flatMap((line) => parsePsLine(line) ?? [])
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s+(.*)$/

export function parsePsLine(line: string): ProcessEntry | undefined {
  const [, pid, ppid, pgid, rss, state, started, command = ''] = PS_LINE.exec(line) ?? []
  if (pid === undefined || started === undefined) return undefined
  // The last match: arguments come before the environment.
  const owner = [...command.matchAll(new RegExp(` ${OWNER_VARIABLE}=(\\S*)`, 'g'))].at(-1)?.[1]
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    name: command.split(' ', 1)[0]?.split('/').at(-1) ?? '',
    rssBytes: Number(rss) * 1024,
    startTime: Date.parse(started),
    isZombie: state?.startsWith('Z') ?? false,
    owner,
  }
}
