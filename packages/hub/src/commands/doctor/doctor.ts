// `quayside doctor`: checks everything that the hub needs and prints one line per check. It changes no data of the hub, and starts
// each agent once.
import type { Command } from 'commander'
import { type Config, ConfigError, loadConfig } from '../../config/config.js'
import type { CommandIo } from '../io/command-io.js'
import { checkAgents } from './agents.js'
import { type Check, resultsOf } from './check.js'
import { checkDatabase } from './database.js'
import { checkDataDirectory, checkDiskUse, checkHub, checkPort } from './hub-checks.js'
import { checkGit, checkNode, checkPlatform, checkWorkspaceRoots } from './machine.js'
import { checkWorktrees } from './worktrees.js'

type DoctorFlags = { readonly json?: boolean }

export function defineDoctor(command: Command, io: CommandIo): void {
  command
    .option('--json', 'print the checks as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  quayside doctor\n  quayside doctor --json > report.json\n\nExit code: 0 no problems, 1 at least one problem.',
    )
    .action((flags: DoctorFlags) => doctor(flags, io))
}

async function doctor({ json = false }: DoctorFlags, io: CommandIo): Promise<void> {
  const checks = await runChecks(io)
  const isHealthy = checks.every(({ level }) => level !== 'problem')
  const text = json ? JSON.stringify({ ok: isHealthy, checks }, null, 2) : describe(checks)
  io.stdout.write(`${text}\n`)
  if (!isHealthy) io.exitCode = 1
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
    checkWorktrees(config),
    hub.check,
    await checkPort(config, hub),
    ...checkWorkspaceRoots(config),
    ...(await checkAgents(config, io)),
  ]
}

/** Without valid settings the data directory is unknown, so no further check runs. */
function readConfig(io: CommandIo): Config | Check {
  try {
    return loadConfig({}, io.env, io.cwd)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return resultsOf('settings').problem(error.message)
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
      ? 'No problems found.'
      : `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
  return [...checks.map(({ level, message }) => `${SIGNS[level]} ${message}`), '', verdict].join(
    '\n',
  )
}
