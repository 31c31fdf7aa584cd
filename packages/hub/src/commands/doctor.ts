// `quayside doctor`: looks at everything the hub needs and says in one line each what is well and what to do. Changes nothing of the
// hub's; each agent is started once.
import type { Command } from 'commander'
import { type Config, ConfigError, loadConfig } from '../config.js'
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

export function defineDoctor(command: Command): void {
  command
    .option('--json', 'print the checks as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  quayside doctor\n  quayside doctor --json > report.json\n\nExit code: 0 no problem, 1 a problem.',
    )
    .action((flags: DoctorFlags) => doctor(flags))
}

async function doctor({ json = false }: DoctorFlags): Promise<void> {
  const checks = await runChecks()
  const isWell = checks.every(({ level }) => level !== 'problem')
  const text = json ? JSON.stringify({ ok: isWell, checks }, null, 2) : describe(checks)
  process.stdout.write(`${text}\n`)
  if (!isWell) process.exitCode = 1
}

async function runChecks(): Promise<Check[]> {
  const machine = [checkNode(), checkPlatform(), await checkGit()]
  const config = readConfig()
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
    ...(await checkAgents(config)),
  ]
}

/** Without settings there is no telling which data directory is meant, so the rest waits. */
function readConfig(): Config | Check {
  try {
    return loadConfig({}, process.env, process.cwd())
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
