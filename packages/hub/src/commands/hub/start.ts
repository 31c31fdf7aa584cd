// `quayside start`: serves until a signal says stop, in this terminal or, with --daemon, in none.
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
    .option('--root <folders>', 'where to look for repositories, several with ":" (default: .)')
    .option('--insecure-http', 'allow an address beyond this machine without TLS')
    .option('--daemon', 'return when it listens, and go on in the background; see `quayside stop`')
    .addOption(new Option('--log-file <file>', 'what its stderr leads to').hideHelp())
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
  if (logFile !== undefined) keepLogSmall(logFile)
  const { createHub } = await import('../../hub.js')
  const hub = await createHub(config)
  io.stdout.write(
    `\nQuayside is ready. Open this address in your browser (the code works once, for 10 minutes):\n\n` +
      `  ${hub.signInAddress()}\n\n` +
      `Repositories: ${config.roots.join(', ')}\nData: ${config.dataDir}\nStop with Ctrl-C.\n\n`,
  )
  io.exit(await untilStopped(hub, io))
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
  await printAddress(hub, isNew ? 'is ready' : 'runs already', io)
  io.stdout.write(`Its log: ${logFile}\nStop it with: quayside stop\n\n`)
}

/** `quayside` alone: a hub, whether it runs already or not. */
export async function startOrPrintAddress(io: CommandIo): Promise<void> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  await using hub = await findRunningHub(dataDir)
  if (hub) await printAddress(hub, 'runs already', io)
  else await start({}, io)
}

async function printAddress(hub: HubAccess, state: string, io: CommandIo): Promise<void> {
  const { code } = await hub.call<{ code: string }>('POST', '/api/login-codes', {})
  io.stdout.write(
    `\nQuayside ${state}. Open this address in your browser (the code works once, for 10 minutes):\n\n` +
      `  ${hub.address}/#code=${code}\n\n`,
  )
}

/** Until a signal has stopped it. Answers with the exit code. */
function untilStopped(hub: Hub, io: CommandIo): Promise<number> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const stop = (): void => {
      if (firstAt !== undefined) {
        // npm passes Ctrl-C on although the terminal has sent it already: that is still the first one.
        if (performance.now() - firstAt > 500) resolve(EXIT.failed)
        return
      }
      firstAt = performance.now()
      io.stdout.write(
        '\nStopping: sessions are being cancelled. Press Ctrl-C again to leave at once.\n',
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
  })
}
