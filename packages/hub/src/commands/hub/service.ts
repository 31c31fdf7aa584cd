// `quayside service`: writes the systemd unit or launchd plist that starts the hub at login, and prints how to enable it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { loadConfig, requireRoots } from '../../config/config.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { PROGRAMS } from '../../places.js'

type ServiceFlags = {
  readonly root?: string
  readonly port?: string
  readonly print?: boolean
  readonly force?: boolean
}

export type Service = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const LABEL = 'dev.quayside.hub'

export function defineService(command: Command, io: CommandIo): void {
  command
    .option('--root <folders>', 'folders with repositories (default: .)')
    .option('--port <number>', 'port to listen on (default: 4444)')
    .option('--print', 'print the file instead of writing it')
    .option('--force', 'replace an existing file that differs')
    .addHelpText(
      'after',
      '\nExamples:\n  quayside service --root ~/src\n  quayside service --print',
    )
    .action((flags: ServiceFlags) => service(flags, io))
}

function service({ print, force, ...flags }: ServiceFlags, io: CommandIo): void {
  const config = loadConfig(flags, io.env, io.cwd)
  requireRoots(config)
  const roots = config.roots.join(':')
  const args = [
    process.execPath,
    PROGRAMS.quayside,
    'start',
    '--root',
    roots,
    '--port',
    String(config.port),
  ]
  // Set explicitly, because a service may have another default data directory and PATH. Agents are found on the PATH.
  const env = { PATH: io.env['PATH'] ?? '', QUAYSIDE_DATA_DIR: config.dataDir }
  const isMac = process.platform === 'darwin'
  const text = isMac ? launchdPlist({ args, env }) : systemdUnit({ args, env })
  if (print) {
    io.stdout.write(text)
    return
  }
  const file = isMac ? plistFile(io.env) : unitFile(io.env)
  if (!force && existsSync(file) && readFileSync(file, 'utf8') !== text)
    throw new CommandError(
      `${file} already exists and differs. Replace it with --force.`,
      EXIT.failed,
    )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const next = isMac
    ? `  launchctl bootstrap gui/$(id -u) ${file}`
    : '  systemctl --user daemon-reload\n  systemctl --user enable --now quayside\n  loginctl enable-linger    # also while you are logged out'
  io.stdout.write(`Wrote ${file}. Start the hub now and at every login:\n${next}\n`)
}

/** `KillMode=process`: people's terminals outlive the hub, and the hub ends its agents itself, each by a cgroup of its own (`Delegate=yes`). */
export function systemdUnit({ args, env }: Service): string {
  const lines = Object.entries(env).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  )
  return `[Unit]
Description=Quayside, a hub for coding agents

[Service]
ExecStart=${args.map((arg) => quote(arg).replaceAll('$', '$$$$')).join(' ')}
${lines.join('\n')}
KillMode=process
Delegate=yes
TimeoutStopSec=20
Restart=on-failure

[Install]
WantedBy=default.target
`
}

/** `AbandonProcessGroup` is to launchd what `KillMode=process` is to systemd. */
export function launchdPlist({ args, env }: Service): string {
  const variables = Object.entries(env).map(
    ([name, value]) => `    <key>${xml(name)}</key>\n    <string>${xml(value)}</string>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${args.map((arg) => `    <string>${xml(arg)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`
}

type Environment = CommandIo['env']

function unitFile(env: Environment): string {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config')
  return join(config, 'systemd', 'user', 'quayside.service')
}

function plistFile(env: Environment): string {
  return join(env['HOME'] ?? homedir(), 'Library', 'LaunchAgents', `${LABEL}.plist`)
}

/** Quotes for systemd: quotes and backslashes are escaped, `%` is doubled; in a command `$` too. */
function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
