// The checks of `quayside doctor` outside the data directory: Node, the platform, git and root folders.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Config, problemOfRoot } from '../../config/config.js'
import { messageOfError } from '../../errors.js'
import type { CommandIo } from '../io/command-io.js'
import { findCgroup } from '../../process/cgroup.js'
import { type Check, resultsOf } from './check.js'

/** The same version as in package.json under "engines". */
const OLDEST_NODE = [20, 19] as const
const OLDEST_GIT = [2, 38] as const

export function checkNode(version = process.versions.node): Check {
  const node = resultsOf('node')
  if (isAtLeast(version, OLDEST_NODE)) return node.ok(`Node ${version}`)
  return node.problem(
    `Node ${version} is too old. Install ${OLDEST_NODE.join('.')} or later: https://nodejs.org`,
  )
}

export function checkPlatform(platform: NodeJS.Platform = process.platform): Check {
  const result = resultsOf('platform')
  if (platform === 'linux') return result.ok(`Linux: ${explainEnding(findCgroup())}`)
  if (platform === 'darwin')
    return result.warning(
      'macOS: agents left over from a crash are found with `ps`, which does not show everything, and files are opened by path. ' +
        'The complete checks are only on Linux.',
    )
  return result.problem(
    `${platform}: Quayside runs on Linux and macOS. On Windows, use it inside WSL.`,
  )
}

/** For a hub that is started like this command. */
function explainEnding(cgroup: string | undefined): string {
  return cgroup === undefined
    ? 'processes of agents are found by their parents and their environment, because no cgroups can be made here'
    : `processes of agents are found by their cgroup too, in ${cgroup}`
}

export async function checkGit(env: CommandIo['env']): Promise<Check> {
  const git = resultsOf('git')
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], {
      env,
      timeout: 10_000,
    })
    const version = /\d+\.\d+(?:\.\d+)?/.exec(stdout)?.[0] ?? '0.0'
    if (isAtLeast(version, OLDEST_GIT)) return git.ok(`git ${version}`)
    return git.problem(`git ${version} is too old. Install ${OLDEST_GIT.join('.')} or later.`)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return git.problem(
      isMissing
        ? 'git is not on the PATH. Install it with your package manager.'
        : `git does not work: ${messageOfError(error).trim()}`,
    )
  }
}

export function checkWorkspaceRoots({ roots }: Config): Check[] {
  const workspace = resultsOf('workspace')
  return roots.map((root) => {
    const problem = problemOfRoot(root)
    return problem === undefined
      ? workspace.ok(`Root folder ${root}`, { root })
      : workspace.problem(problem, { root })
  })
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map(Number)
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}
