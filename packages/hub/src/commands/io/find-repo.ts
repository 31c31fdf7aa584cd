// Finds the repository of a command: by path, name or id, else the one around the current folder.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Repo } from '@quayside/protocol'
import { CommandError, EXIT } from './exit-codes.js'
import type { HubAccess } from './hub-access.js'

/** The git work tree around a folder. */
export function findWorkTree(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path
    if (path === dirname(path)) return undefined
  }
}

/** `wanted` is a path, a name or an id; undefined stands for the folder `cwd`. */
export async function requireRepo(
  hub: HubAccess,
  wanted: string | undefined,
  cwd: string,
): Promise<Repo> {
  const workTree = findWorkTree(resolve(cwd, wanted ?? '.'))
  if (workTree === undefined && wanted === undefined)
    throw new CommandError(
      'This folder is not in a git repository. Change to one, or name one with --repo.',
      EXIT.usage,
    )
  const name =
    wanted === undefined || existsSync(resolve(cwd, wanted)) ? basename(workTree ?? '') : wanted
  /** A path is one of this machine, not of another one whose hub shares the database. */
  const isPath = ({ path, hub: place }: Repo): boolean =>
    (path === workTree || path === wanted) && (hub.isRemote || (place?.state ?? 'here') === 'here')
  const matches = (repo: Repo): boolean =>
    isPath(repo) || repo.id === wanted || (hub.isRemote && repo.name === name)
  const { repos } = hub.client
  let all = await repos.list()
  if (!all.some((repo) => matches(repo) || repo.name === name)) all = await repos.scan()
  const named = all.filter((repo) => repo.name === name)
  const found =
    all.find(matches) ?? (workTree === undefined && named.length === 1 ? named[0] : null)
  if (found) return found
  const known =
    all.length === 0 ? '' : ` Its repositories: ${all.map(({ path }) => path).join(', ')}.`
  throw new CommandError(
    `${workTree ?? wanted} is not a repository of the hub at ${hub.address}.${known} Choose one with --repo, or start the hub with another --root.`,
    EXIT.failed,
  )
}
