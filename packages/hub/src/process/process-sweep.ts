// Ends processes until none is found. Signals them one by one, by pid and start time: a signal to a group does not reach
// processes that left it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.js'
import { removeCgroups } from './cgroup.js'
import { CAN_LIST_PROCESSES, findStartTime, type ProcessEntry } from './process-table.js'
import { hubPrefix } from './process-tag.js'
import { ProcessTree } from './process-tree.js'

export type SweepOptions = {
  /** Grace period after SIGTERM; 0 skips SIGTERM. */
  readonly termGraceMs: number
  /** Pids that were sent SIGTERM already. Never twice: some programs treat a second one as "exit at once". */
  readonly terminated?: Set<number>
  /** When to give up on processes that do not end even by SIGKILL. */
  readonly killDeadlineMs?: number
}

export type Swept = { readonly ended: number; readonly left: readonly ProcessEntry[] }

/** Time for leftover processes to save their state. */
export const LEFTOVER_GRACE_MS = 1_000
const ROUND_MS = 25
const KILL_DEADLINE_MS = 2_000

/** Calls `find` repeatedly, because a process that is being ended may still start others. */
export async function sweep(find: () => ProcessEntry[], options: SweepOptions): Promise<Swept> {
  const { termGraceMs, killDeadlineMs = KILL_DEADLINE_MS } = options
  const seen = new Set<string>()
  const look = (): ProcessEntry[] => {
    const found = find()
    for (const { pid, startTime } of found) seen.add(`${pid}@${startTime}`)
    return found
  }
  const found = termGraceMs > 0 ? await terminate(look, termGraceMs, options.terminated) : look()
  const left = await killAll(look, found, killDeadlineMs)
  return { ended: seen.size - left.length, left }
}

/** Kills without waiting: the processes found now, and those they start meanwhile. */
export function killNow(find: () => ProcessEntry[]): void {
  const MAX_ROUNDS = 5
  const signalled = new Set<number>()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const fresh = find().filter(({ pid }) => !signalled.has(pid))
    if (fresh.length === 0) return
    for (const entry of fresh) {
      signalled.add(entry.pid)
      signalProcess(entry, 'SIGKILL')
    }
  }
}

/** Runs when a hub starts and holds its data directory: any process that still carries its tag is an orphan. */
export async function sweepOrphans(hubId: string, log: Log): Promise<Swept> {
  if (!CAN_LIST_PROCESSES) {
    log.warn({ platform: process.platform }, 'orphaned agents cannot be found on this platform')
    return { ended: 0, left: [] }
  }
  const prefix = hubPrefix(hubId)
  const tree = ProcessTree.ofPrefix(prefix)
  const swept = await sweep(() => tree.find(), { termGraceMs: LEFTOVER_GRACE_MS })
  removeCgroups((tag) => tag.startsWith(prefix))
  if (swept.ended > 0)
    log.info({ ended: swept.ended }, 'ended orphaned processes of an earlier hub')
  logLeft(swept, log)
  return swept
}

export function logLeft({ left }: Swept, log: Log): void {
  if (left.length === 0) return
  const processes = left.map(({ pid, name }) => ({ pid, name }))
  log.warn({ processes }, 'processes of an agent could not be ended')
}

export function signalProcess(entry: ProcessEntry, signal: NodeJS.Signals): void {
  // The pid may belong to another process by now.
  const startTime = findStartTime(entry.pid)
  if (process.platform === 'linux' && startTime !== entry.startTime) return
  try {
    process.kill(entry.pid, signal)
  } catch {
    // Exited already, or owned by another user. In that case the next call of `find` returns it again.
  }
}

/** Returns the processes of its last look. */
async function terminate(
  look: () => ProcessEntry[],
  graceMs: number,
  terminated = new Set<number>(),
): Promise<ProcessEntry[]> {
  const deadline = performance.now() + graceMs
  let found = look()
  while (found.length > 0 && performance.now() < deadline) {
    for (const entry of found) {
      if (!terminated.has(entry.pid)) signalProcess(entry, 'SIGTERM')
      terminated.add(entry.pid)
    }
    await sleep(ROUND_MS)
    found = look()
  }
  return found
}

async function killAll(
  look: () => ProcessEntry[],
  first: readonly ProcessEntry[],
  deadlineMs: number,
): Promise<readonly ProcessEntry[]> {
  const deadline = performance.now() + deadlineMs
  let found = first
  // During `exec` a process has no environment for a moment, so require two empty results.
  for (let emptyLooks = found.length === 0 ? 1 : 0; emptyLooks < 2;) {
    if (performance.now() >= deadline) return found
    for (const entry of found) signalProcess(entry, 'SIGKILL')
    await sleep(ROUND_MS)
    found = look()
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0
  }
  return []
}
