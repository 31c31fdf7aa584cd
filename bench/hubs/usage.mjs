// The protocol of a benchmark's process: it prints one line when it is ready, and its resource use for every line on its stdin.
// It exits when its stdin ends. With --expose-gc, memory is measured after a garbage collection.
// With BENCH_WATCH_LOOP=1 it also reports the longest time that its event loop was blocked since the last report.
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const WATCH_MS = 1
const loop =
  process.env.BENCH_WATCH_LOOP === '1' ? monitorEventLoopDelay({ resolution: WATCH_MS }) : undefined

export function serveUsage(ready, stop) {
  loop?.enable()
  say({ ...ready, ...usage() })
  process.stdin.on('data', () => {
    globalThis.gc?.()
    say(usage())
  })
  process.stdin.once('end', stop)
}

function usage() {
  const { user, system } = process.cpuUsage()
  const rssMb = process.memoryUsage.rss() / 1024 ** 2
  const facts = { cpuMs: (user + system) / 1000, rssMb, peakMb: peakMb(), blockMs: blockMs() }
  loop?.reset()
  return facts
}

function blockMs() {
  return loop === undefined ? 0 : Math.max(0, loop.max / 1e6 - WATCH_MS)
}

/** The largest memory since the last report; elsewhere than on Linux, since the start. */
function peakMb() {
  try {
    const [, kB] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
    writeFileSync('/proc/self/clear_refs', '5')
    return Number(kB) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

function say(facts) {
  process.stdout.write(`${JSON.stringify(facts)}\n`)
}
