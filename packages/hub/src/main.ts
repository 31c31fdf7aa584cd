#!/usr/bin/env node
// The `quayside` command. Each subcommand is a file in commands/, loaded when it is the one that runs; errors for people are one line,
// without a stack.
import { Command, CommanderError } from 'commander'
import { VERSION } from './version.js'

type Define = (command: Command) => void
type Subcommand = readonly [description: string, load: () => Promise<Define>]

const DEFAULT = 'start'

/** In the order in which the help shows them. */
const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  start: [
    'start the hub and print the address to open',
    async () => (await import('./commands/start.js')).defineStart,
  ],
  stop: [
    'stop the running hub; its sessions are cancelled, your terminals go on',
    async () => (await import('./commands/stop.js')).defineStop,
  ],
  status: [
    'say whether a hub runs, where, and what it is busy with',
    async () => (await import('./commands/status.js')).defineStatus,
  ],
  logs: [
    'print the log of a hub in the background',
    async () => (await import('./commands/logs.js')).defineLogs,
  ],
  run: [
    'send one prompt to an agent and print its answer',
    async () => (await import('./commands/run.js')).defineRun,
  ],
  attach: [
    'follow a session; type to prompt, answer with numbers',
    async () => (await import('./commands/attach.js')).defineAttach,
  ],
  send: [
    'send a prompt to a session and do not wait; it queues while the agent works',
    async () => (await import('./commands/send.js')).defineSend,
  ],
  sessions: [
    'list the sessions; show, rename, archive, export or remove one',
    async () => (await import('./commands/sessions.js')).defineSessions,
  ],
  pair: [
    'print a fresh one-time sign-in address, at a terminal also as a QR code',
    async () => (await import('./commands/pair.js')).definePair,
  ],
  token: [
    'make, list and revoke tokens for programs',
    async () => (await import('./commands/token.js')).defineToken,
  ],
  service: [
    'write the file that starts the hub with your session (systemd or launchd)',
    async () => (await import('./commands/service.js')).defineService,
  ],
  acp: [
    'speak ACP on stdin and stdout, for editors; connects to the running hub',
    async () => (await import('./commands/acp.js')).defineAcp,
  ],
  db: [
    'look after the database (the hub must not run)',
    async () => (await import('./commands/db.js')).defineDb,
  ],
  backup: [
    'write a backup of all sessions, media, settings and own extensions; the hub may run',
    async () => (await import('./commands/backup.js')).defineBackup,
  ],
  restore: [
    'go back to a backup (the hub must not run); the present data are kept aside',
    async () => (await import('./commands/restore.js')).defineRestore,
  ],
  doctor: [
    'check this machine, the data directory and the agents; the hub may run',
    async () => (await import('./commands/doctor.js')).defineDoctor,
  ],
  agents: [
    'list agents, sign them in, try them out, add and remove some',
    async () => (await import('./commands/agents.js')).defineAgents,
  ],
  wire: [
    'print what hub and agent say to each other, or replay a recording of it',
    async () => (await import('./commands/wire.js')).defineWire,
  ],
}

const HELP = `
Examples:
  quayside start --root ~/src --daemon     a hub in the background, and the address to open
  quayside run "Explain this repository"   one prompt, its answer on stdout
  quayside attach -                        the newest session, as it happens`

try {
  const args = process.argv.slice(2)
  if (args.length === 0) await (await import('./commands/start.js')).startOrPrintAddress()
  else await (await createProgram(args)).parseAsync()
} catch (error) {
  process.exitCode = await report(error)
}

/** Answers with the exit code. */
async function report(error: unknown): Promise<number> {
  // Help and version end this way too.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const { EXIT, exitCodeOfError } = await import('./commands/exit-codes.js')
  // Commander has said it already.
  if (error instanceof CommanderError) return EXIT.usage
  process.stderr.write(`quayside: ${describe(error)}\n`)
  return exitCodeOfError(error)
}

/** Of the subcommands only the one that is called is more than a name and a line of help. */
async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('quayside')
    .description('Runs coding agents on your git repositories and serves them to any client.')
    .version(VERSION)
    .showHelpAfterError('See --help for how it is used.')
    .exitOverride()
    .addHelpText('after', HELP)
  const called = calledIn(args)
  for (const [name, [description, load]] of Object.entries(SUBCOMMANDS)) {
    const command = program.command(name, { isDefault: name === DEFAULT }).description(description)
    if (name === called) (await load())(command)
  }
  // Otherwise the default command would take it for an argument.
  if (called !== undefined && !(called in SUBCOMMANDS))
    program.error(`error: There is no command "${called}".`)
  return program
}

/** `run …`, `help run`, or options of the default command; nothing when it is about quayside itself. */
function calledIn(args: readonly string[]): string | undefined {
  const [first = DEFAULT, second] = args
  if (first === 'help') return second
  if (!first.startsWith('-')) return first
  return ['-h', '--help', '-V', '--version'].includes(first) ? undefined : DEFAULT
}

/** A sentence for people; the stack only when it is a mistake of ours. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isBug = error instanceof TypeError || error instanceof ReferenceError
  return isBug ? (error.stack ?? error.message) : error.message
}
