// The `quayside` command line: loads the subcommand that is called. Errors are printed as one line, without a stack.
import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.js'
import type { CommandIo } from './io/command-io.js'
import { findSimilar } from './io/find-similar.js'
import { SUBCOMMANDS } from './subcommands.js'

const DEFAULT = 'start'

const HELP = `
Examples:
  quayside                                 start a hub, or print its address
  quayside start --root ~/src --daemon     start a hub in the background
  quayside run "Explain this repository"   send one prompt, print the answer
  quayside attach -                        follow the newest session`

/** Resolves with the exit code. */
export async function runCli(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    if (args.length === 0) await (await import('./hub/start.js')).startOrPrintAddress(io)
    else await (await createProgram(args, io)).parseAsync(args, { from: 'user' })
    return io.exitCode
  } catch (error) {
    return report(error, io)
  }
}

/** Resolves with the exit code. */
async function report(error: unknown, io: CommandIo): Promise<number> {
  // Commander also throws after --help and --version.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const { EXIT, exitCodeOfError } = await import('./io/exit-codes.js')
  // Commander has printed the error.
  if (error instanceof CommanderError) return EXIT.usage
  io.stderr.write(`quayside: ${describe(error)}\n`)
  return exitCodeOfError(error)
}

/** Only the subcommand that is called is loaded; the others are a name and a line of help. */
async function createProgram(args: readonly string[], io: CommandIo): Promise<Command> {
  const program = new Command('quayside')
    .description('Runs coding agents on your git repositories and serves them to any client.')
    .version(VERSION)
    .showHelpAfterError('See --help for usage.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
    })
    .addHelpText('after', HELP)
  const called = findCalled(args)
  for (const [name, [description, load]] of Object.entries(SUBCOMMANDS)) {
    const command = program.command(name, { isDefault: name === DEFAULT }).description(description)
    if (name === called) (await load())(command, io)
  }
  // Otherwise the default command would read an unknown name as its argument.
  if (called !== undefined) requireCommand(program, called)
  const group = program.commands.find((command) => command.name() === called)
  // The default command of such a group takes no argument.
  const isList = group?.commands.some((command) => ['ls', 'list'].includes(command.name()))
  const [, second] = args[0] === 'help' ? args.slice(1) : args
  if (group && isList && second !== undefined && !second.startsWith('-'))
    requireCommand(group, second)
  return program
}

function requireCommand(parent: Command, name: string): void {
  const known = parent.commands.flatMap((command) => [command.name(), ...command.aliases()])
  if (known.includes(name) || name === 'help') return
  const similar = findSimilar(name, known)
  const hint = similar === undefined ? '' : ` Did you mean ${similar}?`
  parent.error(`error: unknown command "${name}".${hint}`)
}

/** Commander would measure the streams of the process, not those of `io`. */
function widthOf({ isTTY, columns }: CommandIo['stdout']): number {
  return (isTTY && columns) || 80
}

/** The subcommand in `run …` or `help run`, or the default one for options alone. Undefined for `--help` and `--version`. */
function findCalled(args: readonly string[]): string | undefined {
  const [first = DEFAULT, second] = args
  if (first === 'help') return second
  if (!first.startsWith('-')) return first
  return ['-h', '--help', '-V', '--version'].includes(first) ? undefined : DEFAULT
}

/** The message, or the stack for an error in our own code. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isBug = error instanceof TypeError || error instanceof ReferenceError
  return isBug ? (error.stack ?? error.message) : error.message
}
