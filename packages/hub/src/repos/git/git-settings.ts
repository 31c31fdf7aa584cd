// An allow-list of the repository's git settings that the hub passes on: those that define how files are compared.
// All others are dropped, including every setting that names a program.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit } from './git.js'
import type { GitFolder } from './git-folder.js'

export type GitSettings = {
  /** `name`, `value` pairs in the order git read them. */
  readonly values: readonly (readonly [string, string])[]
  /** Format extensions, which git reads from the settings file alone. */
  readonly extensions: readonly (readonly [string, string])[]
}

const COMPARING = new Set([
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'core.trustctime',
  'core.checkstat',
])
const EXTENSIONS: ReadonlyMap<string, RegExp> = new Map([
  ['extensions.objectformat', /^sha(1|256)$/],
  ['extensions.refstorage', /^(files|reftable)$/],
])
/** Accepted only from the person's own settings, because a repository could name any file. */
const PERSONAL = new Set(['core.excludesfile'])

/** Age limit of the cache, for new files that it does not watch, such as an include that was missing. */
const MAX_AGE_MS = 60_000
const MAX_KNOWN = 100

type Known = {
  readonly settings: GitSettings
  readonly at: number
  readonly files: readonly string[]
  readonly stamp: string
}

const known = new Map<string, Known>()

/** Cached until one of the source files changes, because a few stat calls are cheaper than starting git. */
export async function readSettings(folder: GitFolder, branch: string): Promise<GitSettings> {
  const { HOME = '', XDG_CONFIG_HOME = join(HOME, '.config') } = process.env
  const files = [
    join(folder.common, 'config'),
    join(folder.own, 'config.worktree'),
    join(HOME, '.gitconfig'),
    join(XDG_CONFIG_HOME, 'git', 'config'),
  ]
  const key = [folder.own, branch, ...files].join('\n')
  const last = known.get(key)
  const isFresh = last !== undefined && performance.now() - last.at < MAX_AGE_MS
  if (isFresh && (await stampOf(last.files)) === last.stamp) return last.settings
  const at = performance.now()
  const before = await stampOf(files)
  const { settings, origins } = await askGit(folder, branch)
  const others = origins.filter((file) => !files.includes(file))
  known.delete(key)
  known.set(key, {
    settings,
    at,
    files: [...files, ...others],
    stamp: [before, await stampOf(others)].filter(Boolean).join('\n'),
  })
  for (const oldest of known.keys()) if (known.size > MAX_KNOWN) known.delete(oldest)
  return settings
}

async function stampOf(files: readonly string[]): Promise<string> {
  const looks = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file, { bigint: true }).catch(() => undefined)
      return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : 'none'
    }),
  )
  return looks.join('\n')
}

type Asked = { readonly settings: GitSettings; readonly origins: readonly string[] }

/** `git config --list` reads settings and their includes, and runs no program. */
async function askGit(folder: GitFolder, branch: string): Promise<Asked> {
  const listing = await runGit(['config', '--list', '--show-scope', '--show-origin', '-z'], {
    cwd: '/',
    repo: folder.own,
    env: { GIT_DIR: folder.own },
  })
  const entries = parseListing(listing.toString('utf8'))
  const origins = new Set(entries.flatMap(({ origin }) => /^file:(.+)/s.exec(origin)?.[1] ?? []))
  return { settings: wantedOf(entries, branch), origins: [...origins] }
}

function wantedOf(entries: readonly Entry[], branch: string): GitSettings {
  const remote = entries.findLast(({ name }) => name === `branch.${branch}.remote`)?.value
  const tracking = new Set([
    `branch.${branch}.remote`,
    `branch.${branch}.merge`,
    `remote.${remote}.fetch`,
  ])
  const isWanted = ({ scope, name }: Entry) =>
    COMPARING.has(name) || tracking.has(name) || (PERSONAL.has(name) && scope !== 'local')
  return {
    values: entries.filter(isWanted).map(({ name, value }) => [name, value]),
    extensions: entries
      .filter(({ name, value }) => EXTENSIONS.get(name)?.test(value))
      .map(({ name, value }) => [name, value]),
  }
}

type Entry = {
  readonly scope: string
  /** The path of an origin `file:<path>`; undefined for other origins. */
  readonly origin: string
  readonly name: string
  readonly value: string
}

/** `scope NUL origin NUL name LF value NUL`; a setting without a value, which means true, has no LF. */
export function parseListing(listing: string): Entry[] {
  const fields = listing.split('\0')
  return fields.flatMap((scope, at) => {
    const [origin, setting] = [fields[at + 1], fields[at + 2]]
    if (at % 3 !== 0 || origin === undefined || setting === undefined) return []
    const end = setting.indexOf('\n')
    if (end < 0) return [{ scope, origin, name: setting, value: 'true' }]
    return [{ scope, origin, name: setting.slice(0, end), value: setting.slice(end + 1) }]
  })
}
