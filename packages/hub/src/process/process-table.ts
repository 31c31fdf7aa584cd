// What runs on this machine, with the owner each process carries. Complete on Linux (/proc). On macOS as far as `ps` tells:
// not the environment of Apple's own binaries (they count by their parent), start times to the second. Elsewhere unsupported.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { findOwner, OWNER_VARIABLE } from './process-tag.js'

export type ProcessEntry = {
  readonly pid: number
  readonly ppid: number
  readonly pgid: number
  readonly name: string
  readonly rssBytes: number
  /** Only good for comparing: the same pid with another start time is another process. */
  readonly startTime: number
  readonly isZombie: boolean
  /** The value of QUAYSIDE_OWNER it was started with. */
  readonly owner: string | undefined
}

export type ProcessTable = readonly ProcessEntry[] | 'unsupported'

export const CAN_LIST_PROCESSES = process.platform === 'linux' || process.platform === 'darwin'

/** Synchronous, so that it also works on the way out. Owners are read of what started at `since` or later. */
export function readProcessTable(since = 0): ProcessTable {
  if (process.platform === 'linux') return readProc(since)
  if (process.platform === 'darwin') return readPs()
  return 'unsupported'
}

/** When this pid was started, or nothing when there is none or the platform does not say. */
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
  return { ...entry, owner: findOwner(readProcFile(`/proc/${pid}/environ`) ?? '') }
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

/** Half the cost of readFileSync, and there are hundreds of them. */
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

/** From the vector the kernel hands every program, because Node does not tell: 16 or 64 KiB on some ARM machines. */
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
  // -E puts the environment behind the command, for processes of the same user.
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
  // The last one: arguments come before the environment.
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
