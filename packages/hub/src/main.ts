#!/usr/bin/env node
// The `quayside` command. Each subcommand is a file in commands/; errors for people are one line, without a stack.
import { Command } from 'commander'
import { addAcpCommand } from './commands/acp.js'
import { addAgentsAddCommand } from './commands/agents-add.js'
import { addAgentsCommand } from './commands/agents.js'
import { addBackupCommand } from './commands/backup.js'
import { addDbCommand } from './commands/db.js'
import { addDoctorCommand } from './commands/doctor.js'
import { addPairCommand } from './commands/pair.js'
import { addRestoreCommand } from './commands/restore.js'
import { addStartCommand } from './commands/start.js'
import { addWireCommand } from './commands/wire.js'
import { VERSION } from './hub.js'

const program = new Command('quayside')
  .description('Runs coding agents on your git repositories and serves them to any client.')
  .version(VERSION)
  .showHelpAfterError()

addStartCommand(program)
addPairCommand(program)
addAcpCommand(program)
addDbCommand(program)
addBackupCommand(program)
addRestoreCommand(program)
addDoctorCommand(program)
addAgentsAddCommand(addAgentsCommand(program))
addWireCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`quayside: ${describe(error)}\n`)
  process.exitCode = 1
}

/** A sentence for people; the stack only when it is a mistake of ours. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isBug = error instanceof TypeError || error instanceof ReferenceError
  return isBug ? (error.stack ?? error.message) : error.message
}
