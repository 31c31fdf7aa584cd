// What `quayside doctor` looks at outside of the data directory: Node, the platform, git, workspace roots, agents.
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { SHIPPED_EXTENSIONS } from '../agents/agent-ground.js'
import { Extensions, type InstalledExtension } from '../agents/extensions.js'
import { resolveLaunch } from '../agents/launch.js'
import type { Config } from '../config.js'
import { messageOfError } from '../errors.js'
import type { Check } from './doctor.js'

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

export async function checkGit(): Promise<Check> {
  const id = 'git'
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 10_000 })
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

/** Whether each agent could be started. None is. */
export function checkExtensions({ extensionFolders, dataDir }: Config): Check[] {
  const broken: Check[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => broken.push(brokenFile(line)) })
  const extensions = new Extensions([SHIPPED_EXTENSIONS, ...extensionFolders], log)
  const known = extensions.list().map(({ id }) => checkAgent(extensions.require(id), dataDir))
  return [...known, ...broken]
}

function checkAgent(extension: InstalledExtension, dataDir: string): Check {
  const id = 'agent'
  const { id: extensionId, name } = extension.manifest
  try {
    const { command, args } = resolveLaunch(extension, { cwd: dataDir, dataDir }, process.env)
    const details = { extensionId, command }
    const missing = args.find(
      (arg) => isAbsolute(arg) && /\.[cm]?js$/.test(arg) && !existsSync(arg),
    )
    if (missing === undefined)
      return { id, level: 'ok', message: `Agent ${name}: ${command}`, details }
    const message = `Agent ${name}: its program ${missing} is missing. Build or install it again.`
    return { id, level: 'problem', message, details }
  } catch (error) {
    return { id, level: 'warning', message: messageOfError(error), details: { extensionId } }
  }
}

function brokenFile(line: string): Check {
  const { file, problem } = JSON.parse(line) as { file: string; problem: string }
  const reason = problem.replaceAll(/\s+/g, ' ')
  const message = `The extension file ${file} is broken and left out: ${reason}`
  return { id: 'agent', level: 'problem', message, details: { file } }
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map(Number)
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}
