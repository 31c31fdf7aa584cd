// Runs when the hub is gone (see watchdog.ts): ends everything that carries the tag of that run of the hub, then exits.
import { setTimeout as sleep } from 'node:timers/promises'
import { LEFTOVER_GRACE_MS, sweep } from './process-sweep.js'
import { ProcessTree } from './process-tree.js'

// A child that the hub was just starting when it died carries its tag only after its exec. Agents use the time: their
// stdin has closed and they can end by themselves.
const GRACE_MS = 300
const KILL_DEADLINE_MS = 30_000

const [prefix] = process.argv.slice(2)
// An empty prefix would be everybody's.
if (prefix?.includes(':')) {
  const tree = ProcessTree.ofPrefix(prefix)
  // Who belongs to it is best seen while the agents are still there.
  tree.find()
  await sleep(GRACE_MS)
  const options = { termGraceMs: LEFTOVER_GRACE_MS, killDeadlineMs: KILL_DEADLINE_MS }
  await sweep(() => tree.find(), options)
}
