#!/usr/bin/env node
// The `quayside` command. Each subcommand is a file in commands/; errors for people are one line, without a stack.
import { Command, CommanderError } from 'commander'
import { addAcpCommand } from './commands/acp.js'
import { addAgentsAddCommand } from './commands/agents-add.js'
import { addAgentsCommand } from './commands/agents.js'
import { addAttachCommand } from './commands/attach.js'
import { addBackupCommand } from './commands/backup.js'
import { addDbCommand } from './commands/db.js'
import { addDoctorCommand } from './commands/doctor.js'
import { EXIT, exitCodeOfError } from './commands/exit-codes.js'
import { addPairCommand } from './commands/pair.js'
import { addRestoreCommand } from './commands/restore.js'
import { addRunCommand } from './commands/run.js'
import { addSendCommand } from './commands/send.js'
import { addServiceCommand } from './commands/service.js'
import { addSessionsCommand } from './commands/sessions.js'
import { addStartCommand } from './commands/start.js'
import { addStopCommand } from './commands/stop.js'
import { addTokenCommand } from './commands/token.js'
import { addWireCommand } from './commands/wire.js'
import { VERSION } from './hub.js'

const program = new Command('quayside')
  .description('Runs coding agents on your git repositories and serves them to any client.')
  .version(VERSION)
  .showHelpAfterError('See --help for how it is used.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  quayside start --root ~/src --daemon     a hub in the background, and the address to open
  quayside run "Explain this repository"   one prompt, its answer on stdout
  quayside attach -                        the newest session, as it happens`,
  )

addStartCommand(program)
addStopCommand(program)
addRunCommand(program)
addAttachCommand(program)
addSendCommand(program)
addSessionsCommand(program)
addPairCommand(program)
addTokenCommand(program)
addServiceCommand(program)
addAcpCommand(program)
addDbCommand(program)
addBackupCommand(program)
addRestoreCommand(program)
addDoctorCommand(program)
addAgentsAddCommand(addAgentsCommand(program))
addWireCommand(program)

try {
  requireKnownCommand(process.argv[2] ?? '')
  await program.parseAsync()
} catch (error) {
  // Commander has said it already; what is no help or version is wrong usage.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
  else {
    process.stderr.write(`quayside: ${describe(error)}\n`)
    process.exitCode = exitCodeOfError(error)
  }
}

/** Otherwise the default command, start, would take it for an argument. */
function requireKnownCommand(name: string): void {
  const known = [...program.commands.map((command) => command.name()), 'help', '']
  if (name.startsWith('-') || known.includes(name)) return
  program.error(`error: There is no command "${name}".`)
}

/** A sentence for people; the stack only when it is a mistake of ours. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isBug = error instanceof TypeError || error instanceof ReferenceError
  return isBug ? (error.stack ?? error.message) : error.message
}
