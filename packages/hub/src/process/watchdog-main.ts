// Ends all processes that carry the tag of a run of the hub (see watchdog.ts): when the hub has died, and whenever its lease is no longer
// trusted. With a lease it is started before that, and reads from the hub until when the lease is trusted.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '../steady-clock.js'
import { removeCgroups } from './cgroup.js'
import { LEFTOVER_GRACE_MS, sweep } from './process-sweep.js'
import { ProcessTree } from './process-tree.js'

// A child that was being started when the hub died carries its tag only after its exec. Agents can exit by themselves
// in this time, because their stdin has closed.
const GRACE_MS = 300
const KILL_DEADLINE_MS = 30_000
/** A hub that was stopped while it started an agent completes that when it goes on. */
const LOOK_AGAIN_MS = 100

const [prefix, trustedUntil] = process.argv.slice(2)
// An empty prefix would match every process.
if (prefix?.includes(':')) {
  const hasEnded = trustedUntil !== undefined && (await watchLease(prefix, Number(trustedUntil)))
  if (!hasEnded) await endAll(prefix)
}

/** Until the hub has stopped (true) or has died (false). */
async function watchLease(prefix: string, trustedUntil: number): Promise<boolean> {
  // A service manager signals all processes at once, and the watchdog must outlive the hub.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const hub: { until: number; end?: 'ended' | 'broken' } = { until: trustedUntil }
  const changed = new EventTarget()
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    if (line === 'ended') hub.end = 'ended'
    else hub.until = Number(line)
    changed.dispatchEvent(new Event('change'))
  })
  lines.on('close', () => {
    hub.end ??= 'broken'
    changed.dispatchEvent(new Event('change'))
  })
  while (hub.end === undefined) {
    const leftMs = hub.until - steadyMs()
    const tree = ProcessTree.ofPrefix(prefix)
    // Agents that the hub starts after its next registration are spared.
    if (leftMs <= 0) await kill(() => (steadyMs() < hub.until ? [] : tree.find()))
    const signal = AbortSignal.timeout(leftMs > 0 ? Math.ceil(leftMs) : LOOK_AGAIN_MS)
    await once(changed, 'change', { signal }).catch(() => undefined)
  }
  return hub.end === 'ended'
}

async function kill(find: Parameters<typeof sweep>[0]): Promise<void> {
  await sweep(find, { termGraceMs: 0, killDeadlineMs: KILL_DEADLINE_MS })
}

async function endAll(prefix: string): Promise<void> {
  const tree = ProcessTree.ofPrefix(prefix)
  // List the tree now: descendants are easiest to attribute while the agents still run.
  tree.find()
  await sleep(GRACE_MS)
  const options = { termGraceMs: LEFTOVER_GRACE_MS, killDeadlineMs: KILL_DEADLINE_MS }
  await sweep(() => tree.find(), options)
  removeCgroups((tag) => tag.startsWith(prefix))
}
