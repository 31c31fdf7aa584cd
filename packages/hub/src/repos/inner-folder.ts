// A folder of a repository that a caller names.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { findRealPath, isInside } from './repos.js'

export type FolderInput = {
  readonly repository: string
  /** Relative to the repository, or absolute. */
  readonly wanted: string
  /** The field of the request, for messages. */
  readonly field: string
}

/** The real path. Throws `path_outside_root` for a path that leads outside, `invalid_settings` for one inside that is no folder. */
export function requireInnerFolder({ repository, wanted, field }: FolderInput, log: Log): string {
  const path = resolve(repository, wanted)
  // A missing path counts as written: only one that leads outside is an attack.
  const folder = findRealPath(path)
  if (!isInside(folder ?? path, repository)) {
    const facts = { security: true, repository, path: wanted }
    log.warn(facts, 'a folder outside the repository was refused')
    throw new HubError('path_outside_root', {
      message: `${field} must be a folder inside the repository; ${wanted} is not.`,
      cwd: wanted,
    })
  }
  if (folder !== undefined && statSync(folder).isDirectory()) return folder
  const reason = folder === undefined ? 'does not exist' : 'is a file'
  throw new HubError('invalid_settings', {
    message: `${field} must be a folder of the repository; ${wanted} ${reason}.`,
    cwd: wanted,
  })
}
