// The `quayside` command line: loads the subcommand that is called. Errors for people are one line, without a stack.
import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.js'
import type { CommandIo } from './io/command-io.js'
import { SUBCOMMANDS } from './subcommands.js'

const DEFAULT = 'start'

const HELP = `
Examples:
  quayside                                 a hub here, or the address of the one that runs
  quayside start --root ~/src --daemon     a hub in the background, and the address to open
  quayside run "Explain this repository"   one prompt, its answer on stdout
  quayside attach -                        the newest session, as it happens`

/** Answers with the exit code. */
export async function runCli(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    if (args.length === 0) await (await import('./hub/start.js')).startOrPrintAddress(io)
    else await (await createProgram(args, io)).parseAsync(args, { from: 'user' })
    return io.exitCode
  } catch (error) {
    return report(error, io)
  }
}

/** Answers with the exit code. */
async function report(error: unknown, io: CommandIo): Promise<number> {
  // Help and version end this way too.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const { EXIT, exitCodeOfError } = await import('./io/exit-codes.js')
  // Commander has said it already.
  if (error instanceof CommanderError) return EXIT.usage
  io.stderr.write(`quayside: ${describe(error)}\n`)
  return exitCodeOfError(error)
}

/** Of the subcommands only the one that is called is more than a name and a line of help. */
async function createProgram(args: readonly string[], io: CommandIo): Promise<Command> {
  const program = new Command('quayside')
    .description('Runs coding agents on your git repositories and serves them to any client.')
    .version(VERSION)
    .showHelpAfterError('See --help for how it is used.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
    })
    .addHelpText('after', HELP)
  const called = calledIn(args)
  for (const [name, [description, load]] of Object.entries(SUBCOMMANDS)) {
    const command = program.command(name, { isDefault: name === DEFAULT }).description(description)
    if (name === called) (await load())(command, io)
  }
  // Otherwise the default command would take it for an argument.
  if (called !== undefined && !(called in SUBCOMMANDS))
    program.error(`error: There is no command "${called}".`)
  return program
}

/** Commander's own width is for streams that are no terminal. */
function widthOf({ isTTY, columns }: CommandIo['stdout']): number {
  return (isTTY && columns) || 80
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
