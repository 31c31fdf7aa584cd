// The protocol of a benchmark's process: it prints one line when it is ready, and its resource use for every line on its stdin.
// It exits when its stdin ends. With --expose-gc, memory is measured after a garbage collection.

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
