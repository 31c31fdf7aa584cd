// What `quayside doctor` looks at outside of the data directory: Node, the platform, git, workspace roots, agents.
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Probe } from '@quayside/protocol/schemas'
import { Probes } from '../../agents/probe/probes.js'
import { isInside } from '../../repos/repos.js'
import type { Config } from '../../config.js'
import { messageOfError } from '../../errors.js'
import type { CommandIo } from '../io/command-io.js'
import { summarizeProbe } from '../agents/describe-probe.js'
import type { Check } from './doctor.js'
import { type BrokenFile, withAgents } from '../agents/with-agents.js'
import { SHIPPED_EXTENSIONS } from '../../places.js'

/** package.json says the same under "engines". */
const OLDEST_NODE = [20, 19] as const
const OLDEST_GIT = [2, 38] as const

export function checkNode(version = process.versions.node): Check {
  const id = 'node'
  if (isAtLeast(version, OLDEST_NODE)) return { id, level: 'ok', message: `Node ${version}` }
  const message = `Node ${version} is too old: Quayside needs ${OLDEST_NODE.join('.')} or later.`
  return { id, level: 'problem', message }
}

export function checkPlatform(platform: NodeJS.Platform = process.platform): Check {
  const id = 'platform'
  if (platform === 'linux') return { id, level: 'ok', message: 'Linux' }
  if (platform === 'darwin')
    return {
      id,
      level: 'warning',
      message:
        'macOS: agents left over from a crash are found by `ps`, which does not tell everything, and files are opened by path: ' +
        'their complete forms are only on Linux.',
    }
  const message = `${platform}: Quayside runs on Linux and macOS. On Windows, use it inside WSL.`
  return { id, level: 'problem', message }
}

export async function checkGit(env: CommandIo['env']): Promise<Check> {
  const id = 'git'
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], {
      env,
      timeout: 10_000,
    })
    const version = /\d+\.\d+(?:\.\d+)?/.exec(stdout)?.[0] ?? '0.0'
    if (isAtLeast(version, OLDEST_GIT)) return { id, level: 'ok', message: `git ${version}` }
    const message = `git ${version} is too old: Quayside needs ${OLDEST_GIT.join('.')} or later.`
    return { id, level: 'problem', message }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const message = isMissing
      ? 'git is not on the PATH. Install it with your package manager.'
      : `git does not work: ${messageOfError(error).trim()}`
    return { id, level: 'problem', message }
  }
}

export function checkWorkspaceRoots({ roots }: Config): Check[] {
  return roots.map((root) => {
    const id = 'workspace'
    const found = statSync(root, { throwIfNoEntry: false })
    if (found?.isDirectory())
      return { id, level: 'ok', message: `Workspace root ${root}`, details: { root } }
    const what = found === undefined ? 'does not exist' : 'is not a folder'
    const message = `The workspace root ${root} ${what}. Name another with --root or AGENT_WORKSPACE_ROOT.`
    return { id, level: 'problem', message, details: { root } }
  })
}

const LEVELS = {
  ready: 'ok',
  needs_sign_in: 'warning',
  not_installed: 'warning',
  broken: 'problem',
} as const

/** Starts each agent once; nothing is prompted. */
export function checkAgents(config: Config, io: CommandIo): Promise<Check[]> {
  return withAgents(config, io, async ({ runtime, broken }) => {
    const probes = new Probes(runtime)
    const { all } = runtime.extensions
    const found = await Promise.all(all.map(({ manifest }) => probes.probe(manifest.id)))
    const shipped = all.filter(({ folder }) => isInside(folder, SHIPPED_EXTENSIONS))
    const ids = new Set(shipped.map(({ manifest }) => manifest.id))
    const isSpare = ({ state, extensionId }: Probe): boolean =>
      state === 'not_installed' && ids.has(extensionId)
    const spare = found.filter(isSpare)
    return [
      ...found.filter((probe) => !isSpare(probe)).map(agentCheck),
      ...(spare.length > 0 ? [spareCheck(spare)] : []),
      ...broken.map(brokenFileCheck),
    ]
  })
}

function agentCheck(probe: Probe): Check {
  const { state, problems } = probe
  const level = state === 'ready' && problems.length > 0 ? 'warning' : LEVELS[state]
  return { id: 'agent', level, message: `Agent ${summarizeProbe(probe)}`, details: { ...probe } }
}

/** Nobody has all that are shipped: one line says which are missing, and where to learn more. */
function spareCheck(probes: readonly Probe[]): Check {
  const ids = probes.map(({ extensionId }) => extensionId)
  const message = `Agents that are not installed: ${ids.join(', ')}. How to get one: quayside agents probe ${ids[0]}`
  return { id: 'agent', level: 'ok', message, details: { notInstalled: probes } }
}

function brokenFileCheck({ file, problem }: BrokenFile): Check {
  const message = `The extension file ${file} is broken and left out: ${problem}`
  return { id: 'agent', level: 'problem', message, details: { file } }
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map(Number)
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}
