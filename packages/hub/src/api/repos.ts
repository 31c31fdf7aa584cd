// Implements the commands for repositories and folders in the root folders. Reading a repository runs nothing of it.
import type { Handlers, repoCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import type { Log } from '../log.js'
import { readRepoFile } from '../repos/files/repo-file.js'
import { requireInnerFolder } from '../repos/inner-folder.js'
import { RepoFiles } from '../repos/repo-files.js'
import { readDiff, readStatus } from '../repos/repo-status.js'
import type { RepoTrust } from '../repos/repo-trust.js'
import type { Repos } from '../repos/repos.js'
import { listFolders } from './folders.js'
import { throwFileError, throwGitError, throwPathError } from './repo-errors.js'

type RepoHandlers = Handlers<typeof repoCommands, Caller>
type RepoRead = 'repo/files' | 'repo/file' | 'repo/status' | 'repo/diff'
export type RepoReadDeps = { readonly repos: Pick<Repos, 'requireInsideRoot'>; readonly log: Log }
export type RepoDeps = {
  readonly repos: Repos
  readonly trust: RepoTrust
  readonly roots: readonly string[]
  readonly log: Log
}

export function repos(deps: RepoDeps): RepoHandlers {
  const { repos, trust, roots, log } = deps
  return {
    ...repoReads(deps),
    'repo/list': async () => ({ repos: await repos.list() }),
    'repo/add': async ({ path }) => {
      const { repoId } = await repos.requireAround(path)
      return repos.require(repoId)
    },
    'repo/scan': async () => {
      await repos.scan()
      return { repos: await repos.list() }
    },
    'repo/get': ({ repoId }) => repos.require(repoId),
    'repo/trust': async ({ repoId, cwd: wanted = '', hash }) => {
      const { path } = repos.requireInsideRoot(repoId)
      const cwd = requireInnerFolder({ repository: path, wanted, field: 'cwd' }, log)
      return { trusted: true, ...(await trust.trust(repoId, { path, cwd }, hash)) }
    },
    'folder/list': ({ path }) => listFolders(path, roots, log),
  }
}

/** Files, status and differences of one repository. */
export function repoReads({ repos, log }: RepoReadDeps): Pick<RepoHandlers, RepoRead> {
  const files = new RepoFiles()
  const pathOf = (repoId: string): string => repos.requireInsideRoot(repoId).path
  return {
    'repo/files': async ({ repoId, q, limit }) =>
      files.find(pathOf(repoId), q, limit).catch(throwGitError),
    'repo/file': async ({ repoId, path }) =>
      readRepoFile(pathOf(repoId), path).catch(throwFileError(log)),
    'repo/status': async ({ repoId }) => readStatus(pathOf(repoId)).catch(throwGitError),
    'repo/diff': async ({ repoId, path, patches }) =>
      readDiff(pathOf(repoId), { path, withPatches: patches }).catch(throwPathError(path, log)),
  }
}
