// The part of `quayside doctor` that starts every agent once. No agent is prompted.
import type { Probe } from '@quayside/protocol/schemas'
import { Probes } from '../../agents/probe/probes.js'
import type { Config } from '../../config/config.js'
import { SHIPPED_EXTENSIONS } from '../../places.js'
import { isInside } from '../../repos/repos.js'
import { summarizeProbe } from '../agents/describe-probe.js'
import { type BrokenFile, withAgents } from '../agents/with-agents.js'
import type { CommandIo } from '../io/command-io.js'
import { type Check, resultsOf } from './check.js'

const agent = resultsOf('agent')

const LEVELS = {
  ready: 'ok',
  needs_sign_in: 'warning',
  not_installed: 'warning',
  broken: 'problem',
} as const

export function checkAgents(config: Config, io: CommandIo): Promise<Check[]> {
  return withAgents(config, io, async ({ runtime, broken }) => {
    const probes = new Probes(runtime)
    const { all } = runtime.extensions
    const found = await Promise.all(all.map(({ manifest }) => probes.probe(manifest.id)))
    const shipped = all.filter(({ folder }) => isInside(folder, SHIPPED_EXTENSIONS))
    const ids = new Set(shipped.map(({ manifest }) => manifest.id))
    const isUnused = ({ state, extensionId }: Probe): boolean =>
      state === 'not_installed' && ids.has(extensionId)
    const unused = found.filter(isUnused)
    return [
      ...found.filter((probe) => !isUnused(probe)).map(checkOf),
      ...(unused.length > 0 ? [checkOfUnused(unused)] : []),
      ...broken.map(checkOfBrokenFile),
    ]
  })
}

function checkOf(probe: Probe): Check {
  const { state, problems } = probe
  const level = state === 'ready' && problems.length > 0 ? 'warning' : LEVELS[state]
  return agent[level](`Agent ${summarizeProbe(probe)}`, { ...probe })
}

/** Few machines have every shipped agent, so one line lists the missing ones. */
function checkOfUnused(probes: readonly Probe[]): Check {
  const ids = probes.map(({ extensionId }) => extensionId)
  return agent.ok(
    `Agents that are not installed: ${ids.join(', ')}. To learn how to install one: quayside agents probe ${ids[0]}`,
    { notInstalled: probes },
  )
}

function checkOfBrokenFile({ file, problem }: BrokenFile): Check {
  return agent.problem(`The extension file ${file} is broken and was skipped: ${problem}`, { file })
}
