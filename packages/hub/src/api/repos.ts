// Implements the commands for repositories and folders in the root folders. Reading a repository runs nothing of it.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Handlers, repoCommands } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import { type Caller, requireScope } from '../http/access/principal.js'
import type { Log } from '../log.js'
import { readRepoFile } from '../repos/files/repo-file.js'
import { requireInnerFolder } from '../repos/inner-folder.js'
import { RepoFiles } from '../repos/repo-files.js'
import { readDiff, readStatus } from '../repos/repo-status.js'
import { findRealPath, isInside } from '../repos/repos.js'
import type { RootFolders } from '../repos/root-folders.js'
import { throwFileError, throwGitError, throwPathError } from './repo-errors.js'
import type { Room } from './room.js'

type RepoHandlers = Handlers<typeof repoCommands, Caller>
type RepoRead = 'repo/files' | 'repo/file' | 'repo/status' | 'repo/diff'
export type RepoReadDeps = {
  /** The work tree of a repository, or that of a session in it. */
  readonly placeOf: (repoId: string, sessionId: string | undefined) => Promise<string>
  readonly log: Log
}

export const repos: Room<typeof repoCommands> = (deps) => {
  const { repos, trust, reader, workspaces, roots, cluster, log } = deps
  const list = async () => {
    // Another hub may have added repositories of a shared volume.
    await cluster?.store.refreshRepos()
    const own = await repos.list()
    return { repos: (await cluster?.withReposElsewhere(own)) ?? own }
  }
  const placeOf = async (repoId: string, sessionId: string | undefined): Promise<string> => {
    const { path } = repos.requireInsideRoot(repoId)
    return sessionId === undefined
      ? path
      : workspaces.require(await reader.requireSummary(sessionId))
  }
  return {
    ...repoReads({ placeOf, log }),
    'repo/list': list,
    'repo/add': async ({ path, confirmOutsideRoot }, caller) => {
      // Before anything is looked up: others learn nothing about folders outside of the roots.
      if (confirmOutsideRoot) requireScope(caller, 'admin')
      const { repoId } = confirmOutsideRoot
        ? await repos.addAnywhere(path)
        : await repos.requireAround(path)
      return repos.require(repoId)
    },
    'root/list': () => describe(roots),
    'root/remove': async ({ path }) => {
      if (!roots.remove(path))
        throw new HubError('not_found', {
          message: `${path} is not an added root folder. Folders of --root are removed where the hub is started.`,
        })
      await repos.scan()
      return describe(roots)
    },
    'repo/scan': async () => {
      await repos.scan()
      return list()
    },
    'repo/get': ({ repoId }) => repos.require(repoId),
    'repo/change': ({ repoId, settings }) => repos.change(repoId, settings),
    'repo/trust': async ({ repoId, cwd: wanted = '', hash }) => {
      const { path } = repos.requireInsideRoot(repoId)
      const cwd = requireInnerFolder({ repository: path, wanted, field: 'cwd' }, log)
      return { trusted: true, ...(await trust.trust(repoId, { path, cwd }, hash)) }
    },
    'folder/list': ({ path }) => listFolders(path, roots.all, log),
  }
}

function describe({ configured, added }: RootFolders) {
  const listed = (isAdded: boolean) => (path: string) => ({ path, isAdded })
  return { roots: [...configured.map(listed(false)), ...added.map(listed(true))] }
}

/** Files, status and differences of one repository. */
export function repoReads({ placeOf, log }: RepoReadDeps): Pick<RepoHandlers, RepoRead> {
  const files = new RepoFiles()
  return {
    'repo/files': async ({ repoId, sessionId, q, limit }) =>
      files.find(await placeOf(repoId, sessionId), q, limit).catch(throwGitError),
    'repo/file': async ({ repoId, sessionId, path }) =>
      readRepoFile(await placeOf(repoId, sessionId), path).catch(throwFileError(log)),
    'repo/status': async ({ repoId, sessionId }) =>
      readStatus(await placeOf(repoId, sessionId)).catch(throwGitError),
    'repo/diff': async ({ repoId, sessionId, path, patches }) => {
      const place = await placeOf(repoId, sessionId)
      return readDiff(place, { path, withPatches: patches }).catch(throwPathError(path, log))
    },
  }
}

/** The folders in `path`, for choosing one: names only, nothing outside. Without a path, the roots. */
async function listFolders(path: string | undefined, roots: readonly string[], log: Log) {
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
