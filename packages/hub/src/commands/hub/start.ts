// `quayside start`: runs the hub in this terminal until a signal stops it, or in the background with --daemon.
import { Devices } from '@quayside/client/admin'
import { type Command, Option } from 'commander'
import { type ConfigFlags, DATABASE, loadConfig } from '../../config/config.js'
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
    .option('--tls', 'serve HTTPS, with a certificate that the hub makes for itself')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)')
    .option('--tls-key <file>', 'the key of the certificate (PEM)')
    .option('--insecure-http', 'allow connections from other machines without TLS')
    .option('--database <address>', 'PostgreSQL database instead of the file in the data directory')
    .option(
      '--name <name>',
      'name of this machine among hubs on one database (default: its host name)',
    )
    .option(
      '--volumes <name=folder,…>',
      'folders that hubs on several machines have, such as code=/mnt/code',
    )
    .option('--daemon', 'run in the background; stop it with `quayside stop`')
    .addOption(new Option('--log-file <file>', 'the file that stderr is written to').hideHelp())
    .addHelpText('after', HELP)
    .action((flags: StartFlags) => start(flags, io))
}

const HELP = `
Examples:
  quayside start --root ~/src
  quayside start --root ~/src:~/work --daemon
  quayside start --host 0.0.0.0 --tls    # also for your phone
  quayside start --database postgres://quayside@db.lan/quayside`

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
      `Repositories: ${config.roots.join(', ')}\nData: ${config.dataDir}${config.database === undefined ? '' : ' and PostgreSQL'}\nStop with Ctrl-C.\n\n`,
  )
  io.exit(await untilStopped(hub, io, logFile === undefined))
}

async function startInBackground(
  dataDir: string,
  { database, ...flags }: ConfigFlags,
  io: CommandIo,
): Promise<void> {
  const args = Object.entries(flags).flatMap(([name, value]) => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return typeof value === 'string' ? [option, value] : [option]
  })
  // Other users of the machine can read arguments.
  const env = database === undefined ? io.env : { ...io.env, [DATABASE]: database }
  const { hub, logFile, isNew } = await startDaemon(dataDir, args, { cwd: io.cwd, env })
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
