// How a process of a benchmark speaks: one line when it is ready, and for whatever is written to its stdin one with what it has
// used so far. It stops when its stdin ends. With --expose-gc, memory is what is in use, not what may be thrown away.

export function serveUsage(ready, stop) {
  say({ ...ready, ...usage() })
  process.stdin.on('data', () => {
    globalThis.gc?.()
    say(usage())
  })
  process.stdin.once('end', stop)
}

function usage() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1024 ** 2 }
}

function say(facts) {
  process.stdout.write(`${JSON.stringify(facts)}\n`)
}
