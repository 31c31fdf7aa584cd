// Which repository a command means: the one of the current folder, unless a path, a name or an id says otherwise.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Repo } from '@quayside/protocol'
import { CommandError, EXIT } from './exit-codes.js'
import type { HubAccess } from './hub-access.js'

/** The work tree that a folder lies in. */
export function findWorkTree(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path
    if (path === dirname(path)) return undefined
  }
}

/** `wanted` is what a person wrote in the folder `cwd`: a path, a name, an id, or nothing for that folder. */
export async function requireRepo(
  hub: HubAccess,
  wanted: string | undefined,
  cwd: string,
): Promise<Repo> {
  const workTree = findWorkTree(resolve(cwd, wanted ?? '.'))
  if (workTree === undefined && wanted === undefined)
    throw new CommandError(
      'This folder is in no git repository. Go to one, or name one with --repo.',
      EXIT.usage,
    )
  const name =
    wanted === undefined || existsSync(resolve(cwd, wanted)) ? basename(workTree ?? '') : wanted
  const isIt = ({ id, path, ...repo }: Repo): boolean =>
    path === workTree || path === wanted || id === wanted || (hub.isRemote && repo.name === name)
  const { repos } = hub.client
  let all = await repos.list()
  if (!all.some((repo) => isIt(repo) || repo.name === name)) all = await repos.scan()
  const named = all.filter((repo) => repo.name === name)
  const found = all.find(isIt) ?? (workTree === undefined && named.length === 1 ? named[0] : null)
  if (found) return found
  const known = all.length === 0 ? '' : ` It has: ${all.map(({ path }) => path).join(', ')}.`
  throw new CommandError(
    `The hub at ${hub.address} does not look into ${workTree ?? wanted}.${known} Start it with --root, or say --repo.`,
    EXIT.failed,
  )
}
