// `quayside doctor`: looks at everything the hub needs and says in one line each what is well and what to do. Changes nothing of the
// hub's; each agent is started once.
import type { Command } from 'commander'
import { type Config, ConfigError, loadConfig } from '../../config.js'
import type { CommandIo } from '../io/command-io.js'
import { checkDatabase } from './doctor-database.js'
import { checkDataDirectory, checkDiskUse, checkHub, checkPort } from './doctor-hub.js'
import {
  checkAgents,
  checkGit,
  checkNode,
  checkPlatform,
  checkWorkspaceRoots,
} from './doctor-machine.js'

export type Check = {
  readonly id: string
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

type DoctorFlags = { readonly json?: boolean }

export function defineDoctor(command: Command, io: CommandIo): void {
  command
    .option('--json', 'print the checks as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  quayside doctor\n  quayside doctor --json > report.json\n\nExit code: 0 no problem, 1 a problem.',
    )
    .action((flags: DoctorFlags) => doctor(flags, io))
}

async function doctor({ json = false }: DoctorFlags, io: CommandIo): Promise<void> {
  const checks = await runChecks(io)
  const isWell = checks.every(({ level }) => level !== 'problem')
  const text = json ? JSON.stringify({ ok: isWell, checks }, null, 2) : describe(checks)
  io.stdout.write(`${text}\n`)
  if (!isWell) io.exitCode = 1
}

async function runChecks(io: CommandIo): Promise<Check[]> {
  const machine = [checkNode(), checkPlatform(), await checkGit(io.env)]
  const config = readConfig(io)
  if ('level' in config) return [...machine, config]
  const hub = await checkHub(config)
  return [
    ...machine,
    await checkDataDirectory(config),
    checkDatabase(config),
    await checkDiskUse(config),
    hub.check,
    await checkPort(config, hub),
    ...checkWorkspaceRoots(config),
    ...(await checkAgents(config, io)),
  ]
}

/** Without settings there is no telling which data directory is meant, so the rest waits. */
function readConfig(io: CommandIo): Config | Check {
  try {
    return loadConfig({}, io.env, io.cwd)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { id: 'settings', level: 'problem', message: error.message }
  }
}

const SIGNS = { ok: '✓', warning: '!', problem: '✗' } as const

function describe(checks: readonly Check[]): string {
  const count = (wanted: Check['level']): number =>
    checks.filter(({ level }) => level === wanted).length
  const problems = count('problem')
  const warnings = count('warning')
  const verdict =
    problems + warnings === 0
      ? 'Everything is well.'
      : `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
  return [...checks.map(({ level, message }) => `${SIGNS[level]} ${message}`), '', verdict].join(
    '\n',
  )
}
