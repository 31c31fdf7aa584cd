// `quayside backup`: writes everything into one folder, also while the hub runs.
import type { Command } from 'commander'
import { loadConfig } from '../../config/config.js'
import { describeAgentSetup } from '../../store/backup/agent-setup-copy.js'
import { writeBackup } from '../../store/backup/backup.js'
import { SECRETS_FILE } from '../../store/data-files.js'
import { VERSION } from '../../version.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { formatBytes } from '../io/format-bytes.js'
import { requireSqlite } from './sqlite-only.js'

export function defineBackup(command: Command, io: CommandIo): void {
  command
    .argument('[folder]', 'folder to write (default: one under backups in the data directory)')
    .addHelpText('after', '\nExamples:\n  quayside backup\n  quayside backup /mnt/usb/quayside')
    .action((folder?: string) => backup(folder, io))
}

function backup(to: string | undefined, io: CommandIo): void {
  const config = loadConfig({}, io.env, io.cwd)
  requireSqlite(config, `Back it up with pg_dump, together with the folder ${config.dataDir}.`)
  const { dataDir } = config
  const target = to === undefined ? undefined : pathFrom(io, to)
  const { folder, manifest } = writeBackup({ dataDir, target, version: VERSION })
  const { counts, database, media, settings, agentSetup = {} } = manifest
  const lines = [
    `Backup written and checked: ${folder}`,
    `  database  ${formatBytes(database.bytes)}, ${counts['AgentSession'] ?? 0} sessions, ${counts['AgentEvent'] ?? 0} events`,
    `  media     ${formatBytes(media.bytes)}, ${media.files} files`,
    ...(settings === null ? [] : ['  settings  config.json']),
    ...(settings?.leftOut ?? []).map((name) => `  left out  ${name}, because it is a secret`),
    ...describeAgentSetup(agentSetup).map((what) => `  agents    ${what}`),
    ...(media.missing.length === 0
      ? []
      : [`  missing   ${media.missing.length} media files are gone from the data directory`]),
    SECRETS_FILE in agentSetup
      ? 'It contains your conversations and the keys of your agents. Keep it as private as the data directory.'
      : 'It contains your conversations. Keep it as private as the data directory.',
    `To restore it, stop the hub and run: quayside restore ${quote(folder)}`,
  ]
  io.stdout.write(`${lines.join('\n')}\n`)
}

function quote(path: string): string {
  return /^[\w/.+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
