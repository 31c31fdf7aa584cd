// `quayside backup`: one folder with everything, also while the hub runs.
import type { Command } from 'commander'
import { loadConfig } from '../config.js'
import { VERSION } from '../version.js'
import { writeBackup } from '../store/backup.js'
import { formatBytes } from './format-bytes.js'

export function defineBackup(command: Command): void {
  command
    .argument('[folder]', 'where to write it (default: backups in the data directory)')
    .addHelpText('after', '\nExamples:\n  quayside backup\n  quayside backup /mnt/usb/quayside')
    .action((folder?: string) => backup(folder))
}

function backup(target: string | undefined): void {
  const { dataDir } = loadConfig({}, process.env, process.cwd())
  const { folder, manifest } = writeBackup({ dataDir, target, version: VERSION })
  const { counts, database, media, settings } = manifest
  const lines = [
    `Backup written and checked: ${folder}`,
    `  database  ${formatBytes(database.bytes)}, ${counts['AgentSession'] ?? 0} sessions, ${counts['AgentEvent'] ?? 0} events`,
    `  media     ${formatBytes(media.bytes)}, ${media.files} files`,
    ...(settings === null ? [] : ['  settings  config.json']),
    ...(settings?.leftOut ?? []).map((name) => `  left out  ${name}, because it is a secret`),
    ...(media.missing.length === 0
      ? []
      : [`  missing   ${media.missing.length} media files are gone from the data directory`]),
    'It holds your conversations: keep it as private as the data directory.',
    `To go back to it, stop the hub and run: quayside restore ${quote(folder)}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function quote(path: string): string {
  return /^[\w/.+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
