// Folders inside the root folders, for choosing one: names only, nothing outside.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { findRealPath, isInside } from '../repos/repos.js'

/** The folders in `path`; without it, the roots. */
export async function listFolders(path: string | undefined, roots: readonly string[], log: Log) {
  const realRoots = roots.map(findRealPath).filter((root) => root !== undefined)
  if (path === undefined)
    return { path: null, folders: realRoots.map((root) => ({ name: root, path: root })) }
  const folder = findRealPath(path)
  if (folder === undefined || !realRoots.some((root) => isInside(folder, root))) {
    log.warn({ security: true, path }, 'rejected browsing outside of the root folders')
    throw new HubError('path_outside_root', {
      message: 'This folder is outside of the root folders.',
    })
  }
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    const message = 'This is no folder that the hub can look into.'
    throw new HubError('not_found', { message }, { cause })
  })
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return { path: folder, folders }
}
