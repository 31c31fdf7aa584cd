// `quayside stop`: ends the hub that runs on the data directory, like Ctrl-C in its terminal.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { loadConfig } from '../../config/config.js'
import { findLockHolder } from '../../store/data-lock.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { findRunningHub } from '../io/hub-access.js'

/** The hub needs at most ten seconds to end its sessions. */
const STOP_MS = 20_000
const POLL_MS = 100

export function defineStop(command: Command, io: CommandIo): void {
  command
    .addHelpText('after', '\nExamples:\n  quayside stop && quayside start --daemon')
    .action(() => stop(io))
}

async function stop(io: CommandIo): Promise<void> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  // Send the signal only to a hub that answers: the pid of a dead one may belong to another process by now.
  const hub = await findRunningHub(dataDir)
  const holder = findLockHolder(dataDir)
  if (hub === undefined || holder === undefined) {
    io.stderr.write(`No hub is running on ${dataDir}.\n`)
    return
  }
  process.kill(holder.pid, 'SIGTERM')
  const giveUpAt = performance.now() + STOP_MS
  while (findLockHolder(dataDir)?.pid === holder.pid) {
    if (performance.now() > giveUpAt)
      throw new CommandError(
        `The hub (process ${holder.pid}) did not stop. To end it at once: kill -9 ${holder.pid}`,
        EXIT.failed,
      )
    await sleep(POLL_MS)
  }
  io.stderr.write('The hub has stopped.\n')
}
