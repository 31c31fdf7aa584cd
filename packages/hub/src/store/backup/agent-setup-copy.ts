// Copies the setup of agents (settings, secrets as they are stored, own extensions) into a backup and back.
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  AGENT_SETUP,
  copyDurably,
  errorCode,
  EXTENSION_SETTINGS_FILE,
  EXTENSIONS_FOLDER,
  makePrivateFolder,
  SECRETS_FILE,
  SESSION_SECRETS_FOLDER,
  sha256Of,
  syncFolder,
} from '../data-files.js'

/** Hashes of the copied files by their path, with `/` between folders. */
export type SetupFiles = Readonly<Record<string, string>>

/** The copies are private, whatever mode the originals have. Missing files are left out. */
export function copyAgentSetup(from: string, to: string): SetupFiles {
  const files = new Map<string, string>()
  for (const name of AGENT_SETUP)
    if (existsSync(join(from, name))) copyEntry({ from, to, path: name, files })
  return Object.fromEntries(files)
}

/** Describes the copied setup for people. */
export function describeAgentSetup(files: SetupFiles): string[] {
  const names = Object.keys(files)
  const own = names.filter((name) => name.endsWith('/manifest.json')).length
  return [
    ...(names.includes(EXTENSION_SETTINGS_FILE) ? ['settings of agents'] : []),
    ...(names.includes(SECRETS_FILE) ? ['their secrets, as they are stored'] : []),
    ...(names.some((name) => name.startsWith(`${SESSION_SECRETS_FOLDER}/`))
      ? ['secrets of MCP servers, as they are stored']
      : []),
    ...(names.some((name) => name.startsWith(`${EXTENSIONS_FOLDER}/`))
      ? [`${own} extensions of your own`]
      : []),
  ]
}

type Copying = {
  readonly from: string
  readonly to: string
  readonly path: string
  readonly files: Map<string, string>
}

/** The hub that runs removes secrets with their session, and writes them as drafts. */
function copyIfPresent(copying: Copying): void {
  const { path } = copying
  if (path.startsWith(`${SESSION_SECRETS_FOLDER}/`) && !path.endsWith('.json')) return
  try {
    copyEntry(copying)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function copyEntry(copying: Copying): void {
  const { path, files } = copying
  const source = join(copying.from, path)
  const target = join(copying.to, path)
  // A link inside an extension stays a link; an extension that is itself a link is copied.
  if (path.includes('/') && lstatSync(source).isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target)
    return
  }
  const stats = statSync(source)
  if (stats.isDirectory()) {
    makePrivateFolder(target)
    for (const name of readdirSync(source)) copyIfPresent({ ...copying, path: `${path}/${name}` })
    syncFolder(target)
  } else if (stats.isFile()) {
    copyDurably(source, target)
    chmodSync(target, stats.mode & 0o700)
    files.set(path, sha256Of(target))
  }
}
