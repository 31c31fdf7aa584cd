// Which of a repository's settings git may know when the hub looks: those that say how files are compared, by name.
// Everything else, and so everything that names a program, is left out.
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
/** A path of the person's own; one that a repository names could be any file. */
const PERSONAL = new Set(['core.excludesfile'])

/** `git config --list` reads settings and what they include, and runs nothing. */
export async function readSettings(folder: GitFolder, branch: string): Promise<GitSettings> {
  const listing = await runGit(['config', '--list', '--show-scope', '-z'], {
    cwd: '/',
    env: { GIT_DIR: folder.own },
  })
  const entries = parseListing(listing.toString('utf8'))
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

type Entry = { readonly scope: string; readonly name: string; readonly value: string }

/** `scope NUL name LF value NUL`; a setting without a value, which means true, has no LF. */
export function parseListing(listing: string): Entry[] {
  const fields = listing.split('\0')
  return fields.flatMap((scope, at) => {
    const setting = fields[at + 1]
    if (at % 2 === 1 || setting === undefined) return []
    const end = setting.indexOf('\n')
    if (end < 0) return [{ scope, name: setting, value: 'true' }]
    return [{ scope, name: setting.slice(0, end), value: setting.slice(end + 1) }]
  })
}
