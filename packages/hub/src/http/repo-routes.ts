// REST for looking into a repository: files, status, diff. Looking runs nothing of the repository's.
import type { ErrorCode } from '@quayside/protocol'
import {
  changesQuerySchema,
  repoDiffQuerySchema,
  repoFileQuerySchema,
  repoFilesQuerySchema,
} from '@quayside/protocol/schemas'
import { Router } from 'express'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { FileAccessError } from '../repos/confined-files.js'
import { GitError } from '../repos/git.js'
import { readRepoFile } from '../repos/repo-file.js'
import { RepoFiles } from '../repos/repo-files.js'
import { readDiff, readStatus } from '../repos/repo-status.js'
import type { RepoTrust } from '../repos/repo-trust.js'
import type { Repos } from '../repos/repos.js'
import type { SessionDeps } from './session-routes.js'

export type TrustDeps = { readonly repos: Repos; readonly trust: RepoTrust }
export type ChangesDeps = Pick<SessionDeps, 'reader' | 'changes'> & {
  readonly repos: Repos
  readonly log: Log
}

const FILE_ERRORS: Partial<Record<FileAccessError['code'], ErrorCode>> = {
  outside: 'path_outside_root',
  not_found: 'not_found',
  invalid_path: 'bad_request',
}

/** For `/api/repos`, behind the sign-in. */
export function repoRoutes(repos: Pick<Repos, 'requireInsideRoot'>, log: Log): Router {
  const routes = Router()
  const files = new RepoFiles()

  routes.get('/:id/files', async (request, response) => {
    const { q, limit } = repoFilesQuerySchema.parse(request.query)
    const { path } = repos.requireInsideRoot(request.params.id)
    response.json(await files.find(path, q, limit).catch(rethrow))
  })

  routes.get('/:id/file', async (request, response) => {
    const wish = repoFileQuerySchema.parse(request.query)
    const { path } = repos.requireInsideRoot(request.params.id)
    response.json(await readRepoFile(path, wish.path).catch(refuse))
  })

  routes.get('/:id/status', async (request, response) => {
    const { path } = repos.requireInsideRoot(request.params.id)
    response.json(await readStatus(path).catch(rethrow))
  })

  routes.get('/:id/diff', async (request, response) => {
    const { path, patches } = repoDiffQuerySchema.parse(request.query)
    const repository = repos.requireInsideRoot(request.params.id).path
    const wish = { path, withPatches: patches === 'true' }
    response.json(await readDiff(repository, wish).catch(refusePath(path, log)))
  })

  /** Why a file was not read, as an answer. */
  function refuse(error: unknown): never {
    if (!(error instanceof FileAccessError)) throw error
    const { code: reason, message } = error
    if (reason === 'outside') log.warn({ security: true, problem: message }, 'a file was refused')
    const code = FILE_ERRORS[reason] ?? 'file_unreadable'
    throw new HubError(code, { message, reason }, { cause: error })
  }

  return routes
}

/** For `/api/repos`: lets agents run in a repository, with the configuration it has now. */
export function trustRoutes({ repos, trust }: TrustDeps): Router {
  const routes = Router()

  routes.post('/:id/trust', async (request, response) => {
    const { id } = request.params
    const { path } = repos.requireInsideRoot(id)
    response.json({ trusted: true, ...(await trust.trust(id, path)) })
  })

  return routes
}

/** For `/api/sessions`: what a session changed since it, or its latest turn, began. */
export function changesRoutes({ repos, reader, changes, log }: ChangesDeps): Router {
  const routes = Router()

  routes.get('/:id/changes', async (request, response) => {
    const { since, path, patches } = changesQuerySchema.parse(request.query)
    const { id, repoId } = await reader.requireSummary(request.params.id)
    const repository = repos.requireInsideRoot(repoId).path
    const wish = { since, path, withPatches: patches === 'true' }
    response.json(await changes.read(id, repository, wish).catch(refusePath(path, log)))
  })

  return routes
}

/** As `rethrow`, for a path that somebody sent. */
function refusePath(path: string | undefined, log: Log): (error: unknown) => never {
  return (error) => {
    if (error instanceof GitError && error.code === 'refused')
      log.warn({ security: true, path }, 'a path outside the repository was refused')
    rethrow(error)
  }
}

const GIT_ERRORS: Partial<Record<GitError['code'], ErrorCode>> = {
  refused: 'path_outside_root',
  not_a_repository: 'repo_not_found',
}

/** What git could not do, as an answer; anything else as it was. */
function rethrow(error: unknown): never {
  if (!(error instanceof GitError)) throw error
  const { code: reason, message } = error
  throw new HubError(GIT_ERRORS[reason] ?? 'git_failed', { message, reason }, { cause: error })
}
