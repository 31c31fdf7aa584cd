// Agents for a command that runs without a hub. Agents and temporary folders end with the command.
import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { AgentRuntime } from '../../agents/agent-runtime.js'
import type { InstalledExtension } from '../../agents/extensions/extensions.js'
import { TempFolder } from '../../temp-folders.js'
import type { Config } from '../../config/config.js'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { CommandIo } from '../io/command-io.js'
import { EXIT } from '../io/exit-codes.js'

export type BrokenFile = { readonly file: string; readonly problem: string }

export type Agents = {
  readonly runtime: AgentRuntime
  /** Extension files that could not be read and were skipped. */
  readonly broken: readonly BrokenFile[]
  readonly log: Log
}

export async function withAgents<T>(
  config: Config,
  io: CommandIo,
  work: (agents: Agents) => Promise<T>,
): Promise<T> {
  // Before the first start there is no data directory, and a command that only reads must not create it.
  const scratch = existsSync(config.dataDir) ? undefined : new TempFolder('data')
  const broken: BrokenFile[] = []
  const log = pino(
    { level: 'error' },
    { write: (line: string) => broken.push(...brokenFiles(line)) },
  )
  const dataDir = scratch?.path ?? config.dataDir
  // Not the hub's id: a hub that starts meanwhile would end these agents as its orphans.
  const runtime = new AgentRuntime({
    config: { ...config, dataDir },
    hubId: randomUUID(),
    reportDownload: (sentence) => io.stderr.write(`${sentence}\n`),
    log,
  })
  // Unlike a signal, an exit removes temporary folders. The watchdog ends the agents.
  const leave = (): void => io.exit(EXIT.cancelled)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listeners = signals.map((signal) => io.onSignal(signal, leave))
  try {
    return await work({ runtime, broken, log })
  } finally {
    await runtime.close()
    scratch?.remove()
    for (const stopListening of listeners) stopListening()
  }
}

/** Throws an error that lists the known agents. */
export function requireAgent({ runtime }: Agents, id: string): InstalledExtension {
  const known = runtime.extensions.list().map((extension) => extension.id)
  if (known.includes(id)) return runtime.extensions.require(id)
  throw new HubError('extension_not_found', {
    message: `There is no agent "${id}". Known agents: ${known.join(', ')}.`,
  })
}

function brokenFiles(line: string): BrokenFile[] {
  const { file, problem } = JSON.parse(line) as Partial<BrokenFile>
  if (file === undefined || problem === undefined) return []
  return [{ file, problem: problem.replaceAll(/\s+/g, ' ') }]
}
