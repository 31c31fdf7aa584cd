// Runs when the hub has died (see watchdog.ts): ends all processes that carry the tag of that run, then exits.
import { setTimeout as sleep } from 'node:timers/promises'
import { removeCgroups } from './cgroup.js'
import { LEFTOVER_GRACE_MS, sweep } from './process-sweep.js'
import { ProcessTree } from './process-tree.js'

// A child that was being started when the hub died carries its tag only after its exec. Agents can exit by themselves
// in this time, because their stdin has closed.
const GRACE_MS = 300
const KILL_DEADLINE_MS = 30_000

const [prefix] = process.argv.slice(2)
// An empty prefix would match every process.
if (prefix?.includes(':')) {
  const tree = ProcessTree.ofPrefix(prefix)
  // List the tree now: descendants are easiest to attribute while the agents still run.
  tree.find()
  await sleep(GRACE_MS)
  const options = { termGraceMs: LEFTOVER_GRACE_MS, killDeadlineMs: KILL_DEADLINE_MS }
  await sweep(() => tree.find(), options)
  removeCgroups((tag) => tag.startsWith(prefix))
}
