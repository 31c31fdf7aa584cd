// The protocol of a benchmark's process: it prints one line when it is ready, and its resource use for every line on its stdin.
// It exits when its stdin ends. With --expose-gc, memory is measured after a garbage collection, whose processor time is left out:
// it is more than an idle process takes in five seconds.
// With BENCH_WATCH_LOOP=1 it also reports the longest time that its event loop was blocked since the last report.
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const WATCH_MS = 1
const loop =
  process.env.BENCH_WATCH_LOOP === '1' ? monitorEventLoopDelay({ resolution: WATCH_MS }) : undefined

/** Of the garbage collections before reports. */
let gcMicros = 0

export function serveUsage(ready, stop) {
  loop?.enable()
  say({ ...ready, ...usage() })
  process.stdin.on('data', () => {
    collectGarbage()
    say(usage())
  })
  process.stdin.once('end', stop)
}

function collectGarbage() {
  if (globalThis.gc === undefined) return
  const before = cpuMicros()
  globalThis.gc()
  gcMicros += cpuMicros() - before
}

function usage() {
  const rssMb = process.memoryUsage.rss() / 1024 ** 2
  const facts = {
    cpuMs: (cpuMicros() - gcMicros) / 1000,
    rssMb,
    peakMb: peakMb(),
    blockMs: blockMs(),
  }
  loop?.reset()
  return facts
}

function cpuMicros() {
  const { user, system } = process.cpuUsage()
  return user + system
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
