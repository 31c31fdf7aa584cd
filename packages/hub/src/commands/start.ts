// `quayside start`: serves until a signal says stop.
import type { Command } from 'commander'
import { type ConfigFlags, loadConfig } from '../config.js'
import { createHub, type Hub } from '../hub.js'

export function addStartCommand(program: Command): void {
  program
    .command('start', { isDefault: true })
    .description('start the hub and print the address to open')
    .option('--port <number>', 'port to listen on (default: 4444)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--root <folders>', 'where to look for repositories, several with ":" (default: .)')
    .option('--insecure-http', 'allow an address beyond this machine without TLS')
    .action((flags: ConfigFlags) => start(flags))
}

async function start(flags: ConfigFlags): Promise<void> {
  if (process.platform === 'win32')
    throw new Error('Quayside runs on Linux and macOS. On Windows, use it inside WSL.')
  const config = loadConfig(flags, process.env, process.cwd())
  const hub = await createHub(config)
  process.stdout.write(
    `\nQuayside is ready. Open this address in your browser (the code works once, for 10 minutes):\n\n` +
      `  ${hub.signInAddress()}\n\n` +
      `Repositories: ${config.roots.join(', ')}\nData: ${config.dataDir}\nStop with Ctrl-C.\n\n`,
  )
  stopOnSignals(hub)
}

function stopOnSignals(hub: Hub): void {
  let firstAt: number | undefined
  const stop = (): void => {
    if (firstAt !== undefined) {
      // npm passes Ctrl-C on although the terminal has sent it already: that is still the first one.
      if (performance.now() - firstAt > 500) process.exit(1)
      return
    }
    firstAt = performance.now()
    process.stdout.write(
      '\nStopping: sessions are being cancelled. Press Ctrl-C again to leave at once.\n',
    )
    hub.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`quayside: ${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
