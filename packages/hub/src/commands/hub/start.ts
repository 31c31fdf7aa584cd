// `quayside start`: runs the hub in this terminal until a signal stops it, or in the background with --daemon.
import { Devices } from '@quayside/client/admin'
import { type Command, Option } from 'commander'
import { type ConfigFlags, loadConfig } from '../../config.js'
import type { Hub } from '../../hub.js'
import type { CommandIo } from '../io/command-io.js'
import { findRunningHub, type HubAccess } from '../io/hub-access.js'
import { keepLogSmall, startDaemon } from './daemon.js'
import { EXIT } from '../io/exit-codes.js'

type StartFlags = ConfigFlags & { readonly daemon?: boolean; readonly logFile?: string }

export function defineStart(command: Command, io: CommandIo): void {
  command
    .option('--port <number>', 'port to listen on (default: 4444)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--root <folders>', 'folders with repositories, separated by ":" (default: .)')
    .option('--insecure-http', 'allow connections from other machines without TLS')
    .option('--daemon', 'run in the background; stop it with `quayside stop`')
    .addOption(new Option('--log-file <file>', 'the file that stderr is written to').hideHelp())
    .addHelpText('after', HELP)
    .action((flags: StartFlags) => start(flags, io))
}

const HELP = `
Examples:
  quayside start --root ~/src
  quayside start --root ~/src:~/work --daemon`

async function start(
  { daemon = false, logFile, ...flags }: StartFlags,
  io: CommandIo,
): Promise<void> {
  if (process.platform === 'win32')
    throw new Error('Quayside runs on Linux and macOS. On Windows, use it inside WSL.')
  const config = loadConfig(flags, io.env, io.cwd)
  if (daemon) return startInBackground(config.dataDir, flags, io)
  // Writing to a closed terminal or pipe fails, which must not end the hub.
  io.stdout.on('error', () => {})
  if (logFile !== undefined) {
    keepLogSmall(logFile)
    // A background hub outlives the terminal it was started from.
    io.onSignal('SIGHUP', () => {})
  }
  const { createHub } = await import('../../hub.js')
  const hub = await createHub(config)
  io.stdout.write(
    `\nQuayside is ready. Open this address in your browser (the code works once, for 10 minutes):\n\n` +
      `  ${hub.signInAddress()}\n\n` +
      `Repositories: ${config.roots.join(', ')}\nData: ${config.dataDir}\nStop with Ctrl-C.\n\n`,
  )
  io.exit(await untilStopped(hub, io, logFile === undefined))
}

async function startInBackground(
  dataDir: string,
  flags: ConfigFlags,
  io: CommandIo,
): Promise<void> {
  const { insecureHttp, ...settings } = flags
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  if (insecureHttp) args.push('--insecure-http')
  const { hub, logFile, isNew } = await startDaemon(dataDir, args, io)
  await using _ = hub
  await printAddress(hub, isNew ? 'is ready' : 'is already running', io)
  io.stdout.write(`Log: ${logFile}\nStop it with: quayside stop\n\n`)
}

/** `quayside` without a command: starts a hub, or prints the address of the running one. */
export async function startOrPrintAddress(io: CommandIo): Promise<void> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  await using hub = await findRunningHub(dataDir)
  if (hub) await printAddress(hub, 'is already running', io)
  else await start({}, io)
}

async function printAddress(hub: HubAccess, state: string, io: CommandIo): Promise<void> {
  const { code } = await new Devices(hub.client).createLoginCode()
  io.stdout.write(
    `\nQuayside ${state}. Open this address in your browser (the code works once, for 10 minutes):\n\n` +
      `  ${hub.address}/#code=${code}\n\n`,
  )
}

/** Resolves with the exit code when a signal has stopped the hub. */
function untilStopped(hub: Hub, io: CommandIo, hasTerminal: boolean): Promise<number> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const stop = (): void => {
      if (firstAt !== undefined) {
        // npm repeats the Ctrl-C that the terminal has already sent, so a second one at once is the same.
        if (performance.now() - firstAt > 500) resolve(EXIT.failed)
        return
      }
      firstAt = performance.now()
      io.stdout.write(
        '\nStopping: sessions are being cancelled. Press Ctrl-C again to exit at once.\n',
      )
      hub.stop().then(
        () => resolve(EXIT.done),
        (error: unknown) => {
          io.stderr.write(`quayside: ${String(error)}\n`)
          resolve(EXIT.failed)
        },
      )
    }
    io.onSignal('SIGINT', stop)
    io.onSignal('SIGTERM', stop)
    // Its terminal was closed. The system and the shell may both report that, so a second one is no order to exit at once.
    if (hasTerminal)
      io.onSignal('SIGHUP', () => {
        if (firstAt === undefined) stop()
      })
  })
}
