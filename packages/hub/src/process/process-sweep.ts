// Ends processes until none is found. By pid and start time, one by one: a group leaves out those who left it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.js'
import { CAN_LIST_PROCESSES, findStartTime, type ProcessEntry } from './process-table.js'
import { hubPrefix } from './process-tag.js'
import { ProcessTree } from './process-tree.js'

export type SweepOptions = {
  /** How long they may take to end by themselves after a SIGTERM; 0 sends none. */
  readonly termGraceMs: number
  /** Who has had a SIGTERM. Once each: to some programs a second one means "at once". */
  readonly told?: Set<number>
  /** When to give up on those that do not even end by SIGKILL. */
  readonly killDeadlineMs?: number
}

export type Swept = { readonly ended: number; readonly left: readonly ProcessEntry[] }

/** Leftovers may write down what they know; it is only waited for while there are any. */
export const LEFTOVER_GRACE_MS = 1_000
const ROUND_MS = 25
const KILL_DEADLINE_MS = 2_000

/** `find` is asked again and again, because what is being ended may still start others. */
export async function sweep(find: () => ProcessEntry[], options: SweepOptions): Promise<Swept> {
  const { termGraceMs, killDeadlineMs = KILL_DEADLINE_MS } = options
  const seen = new Set<string>()
  const look = (): ProcessEntry[] => {
    const found = find()
    for (const { pid, startTime } of found) seen.add(`${pid}@${startTime}`)
    return found
  }
  if (termGraceMs > 0) await terminate(look, termGraceMs, options.told)
  const left = await killAll(look, killDeadlineMs)
  return { ended: seen.size - left.length, left }
}

/** Without waiting: those that are found now, and those they started meanwhile. */
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

/** At the start of a hub that holds its data directory: whatever still carries the hub's tag has lost its hub. */
export async function sweepOrphans(hubId: string, log: Log): Promise<Swept> {
  if (!CAN_LIST_PROCESSES) {
    log.warn({ platform: process.platform }, 'orphaned agents cannot be found on this platform')
    return { ended: 0, left: [] }
  }
  const tree = ProcessTree.ofPrefix(hubPrefix(hubId))
  const swept = await sweep(() => tree.find(), { termGraceMs: LEFTOVER_GRACE_MS })
  if (swept.ended > 0) log.info({ ended: swept.ended }, 'ended what an earlier hub left running')
  logLeft(swept, log)
  return swept
}

export function logLeft({ left }: Swept, log: Log): void {
  if (left.length === 0) return
  const processes = left.map(({ pid, name }) => ({ pid, name }))
  log.warn({ processes }, 'processes of an agent could not be ended')
}

export function signalProcess(entry: ProcessEntry, signal: NodeJS.Signals): void {
  // The pid may have found another owner since it was listed.
  const startTime = findStartTime(entry.pid)
  if (process.platform === 'linux' && startTime !== entry.startTime) return
  try {
    process.kill(entry.pid, signal)
  } catch {
    // Gone already, or another user's: then the next look finds it again and the caller is told.
  }
}

async function terminate(
  look: () => ProcessEntry[],
  graceMs: number,
  told = new Set<number>(),
): Promise<void> {
  const deadline = Date.now() + graceMs
  for (let found = look(); found.length > 0 && Date.now() < deadline; found = look()) {
    for (const entry of found) {
      if (!told.has(entry.pid)) signalProcess(entry, 'SIGTERM')
      told.add(entry.pid)
    }
    await sleep(ROUND_MS)
  }
}

async function killAll(look: () => ProcessEntry[], deadlineMs: number): Promise<ProcessEntry[]> {
  const deadline = Date.now() + deadlineMs
  let found = look()
  // A process that is just executing another program shows no environment for a moment: one empty look proves nothing.
  for (let emptyLooks = found.length === 0 ? 1 : 0; emptyLooks < 2;) {
    if (Date.now() >= deadline) return found
    for (const entry of found) signalProcess(entry, 'SIGKILL')
    await sleep(ROUND_MS)
    found = look()
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0
  }
  return []
}
