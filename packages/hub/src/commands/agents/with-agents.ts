// Agents for a command that runs without a hub: the same extensions, and nothing stays when the command is done.
import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { AgentRuntime } from '../../agents/agent-runtime.js'
import type { InstalledExtension } from '../../agents/extensions/extensions.js'
import { TempFolder } from '../../temp-folders.js'
import type { Config } from '../../config.js'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { CommandIo } from '../io/command-io.js'

export type BrokenFile = { readonly file: string; readonly problem: string }

export type Agents = {
  readonly runtime: AgentRuntime
  /** Files of extensions that could not be read; they are left out. */
  readonly broken: readonly BrokenFile[]
  readonly log: Log
}

export async function withAgents<T>(
  config: Config,
  io: CommandIo,
  work: (agents: Agents) => Promise<T>,
): Promise<T> {
  // Before the first start there is no data directory, and a command that only looks does not make one.
  const scratch = existsSync(config.dataDir) ? undefined : new TempFolder('data')
  const broken: BrokenFile[] = []
  const log = pino(
    { level: 'error' },
    { write: (line: string) => broken.push(...brokenFiles(line)) },
  )
  const dataDir = scratch?.path ?? config.dataDir
  // Not the hub's own name: a hub that starts meanwhile would take these agents for its orphans.
  const runtime = new AgentRuntime({ config: { ...config, dataDir }, hubId: randomUUID(), log })
  // An exit, unlike a signal, removes temporary folders. The agents are ended by the watchdog.
  const listening = [
    io.onSignal('SIGINT', () => io.exit(130)),
    io.onSignal('SIGTERM', () => io.exit(143)),
  ]
  try {
    return await work({ runtime, broken, log })
  } finally {
    await runtime.close()
    scratch?.remove()
    for (const end of listening) end()
  }
}

/** Throws a sentence that names those there are. */
export function requireAgent({ runtime }: Agents, id: string): InstalledExtension {
  const known = runtime.extensions.list().map((extension) => extension.id)
  if (known.includes(id)) return runtime.extensions.require(id)
  throw new HubError('extension_not_found', {
    message: `There is no agent "${id}". There are: ${known.join(', ')}.`,
  })
}

function brokenFiles(line: string): BrokenFile[] {
  const { file, problem } = JSON.parse(line) as Partial<BrokenFile>
  if (file === undefined || problem === undefined) return []
  return [{ file, problem: problem.replaceAll(/\s+/g, ' ') }]
}
