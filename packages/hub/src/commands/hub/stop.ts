// `quayside stop`: ends the hub that runs on the data directory, as Ctrl-C in its terminal would.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { loadConfig } from '../../config.js'
import { findLockHolder } from '../../store/data-lock.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { findRunningHub } from '../io/hub-access.js'

/** The hub itself takes at most ten seconds for its sessions. */
const STOP_MS = 20_000
const LOOK_AGAIN_MS = 100

export function defineStop(command: Command, io: CommandIo): void {
  command
    .addHelpText('after', '\nExamples:\n  quayside stop && quayside start --daemon')
    .action(() => stop(io))
}

async function stop(io: CommandIo): Promise<void> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  // Only one that proves to be a hub is sent a signal: the number of a dead one may be somebody else's by now.
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
      throw new CommandError(`The hub (process ${holder.pid}) does not stop.`, EXIT.failed)
    await sleep(LOOK_AGAIN_MS)
  }
  io.stderr.write('The hub has stopped.\n')
}
