// `quayside restore`: replaces the current data by a backup and sets the current data aside.
import type { Command } from 'commander'
import { loadConfig } from '../../config/config.js'
import { lockDataDirectory } from '../../store/data-lock.js'
import { restoreBackup, type Restored } from '../../store/backup/restore.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { requireSqlite } from './sqlite-only.js'

export function defineRestore(command: Command, io: CommandIo): void {
  command
    .argument('<folder>', 'a backup, or a copy that a migration or an earlier restore has made')
    .addHelpText(
      'after',
      '\nExamples:\n  quayside stop && quayside restore /mnt/usb/quayside && quayside start --daemon',
    )
    .action((folder: string) => restore(pathFrom(io, folder), io))
}

function restore(from: string, io: CommandIo): void {
  const config = loadConfig({}, io.env, io.cwd)
  requireSqlite(config, 'Restore it with pg_restore, or unset the variable.')
  const { dataDir } = config
  const lock = lockDataDirectory(dataDir)
  try {
    io.stdout.write(`${report(from, restoreBackup(from, dataDir)).join('\n')}\n`)
  } finally {
    lock.release()
  }
}

function report(from: string, restored: Restored): string[] {
  const { wasInterrupted, aside, migrated, missingMedia, missingSettings, facts } = restored
  const counts = facts?.counts ?? {}
  return [
    wasInterrupted
      ? `Restoring ${from} had been interrupted and is finished now.`
      : `Restored ${from}: ${counts['AgentSession'] ?? 0} sessions, ${counts['AgentEvent'] ?? 0} events.`,
    ...(migrated.length === 0 ? [] : [`Migrated to this version: ${migrated.join(', ')}`]),
    ...(missingMedia.length === 0
      ? []
      : [`${missingMedia.length} media files are missing or damaged in the backup.`]),
    ...missingSettings.map((name) => `Backups do not contain ${name}. Set it again if you use it.`),
    aside === undefined
      ? 'There was no earlier data.'
      : `The earlier data is in ${aside}. Restore that folder to undo this; remove it when you are sure.`,
    'Start the hub with: quayside start',
  ]
}
