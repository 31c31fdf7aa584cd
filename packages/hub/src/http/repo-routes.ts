// REST for looking into a repository: files for mentions, status, diff. Looking runs nothing of the repository's.
import { Router } from 'express'
import { z } from 'zod'
import { HubError } from '../errors.js'
import { GitError } from '../repos/git.js'
import { RepoFiles } from '../repos/repo-files.js'
import { readDiff, readStatus } from '../repos/repo-status.js'
import type { Repos } from '../repos/repos.js'

const filesQuerySchema = z.object({
  q: z.string().max(200).default(''),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
const diffQuerySchema = z.object({ path: z.string().min(1).max(4096).optional() })

/** For `/api/repos`, behind the sign-in. */
export function repoRoutes(repos: Pick<Repos, 'requireInsideRoot'>): Router {
  const routes = Router()
  const files = new RepoFiles()

  routes.get('/:id/files', async (request, response) => {
    const { q, limit } = filesQuerySchema.parse(request.query)
    const { path } = repos.requireInsideRoot(request.params.id)
    response.json(await files.find(path, q, limit).catch(rethrow))
  })

  routes.get('/:id/status', async (request, response) => {
    const { path } = repos.requireInsideRoot(request.params.id)
    response.json(await readStatus(path).catch(rethrow))
  })

  routes.get('/:id/diff', async (request, response) => {
    const wish = diffQuerySchema.parse(request.query)
    const { path } = repos.requireInsideRoot(request.params.id)
    response.json(await readDiff(path, wish).catch(rethrow))
  })

  return routes
}

/** What git could not do, as an answer; anything else as it was. */
function rethrow(error: unknown): never {
  if (!(error instanceof GitError)) throw error
  const { code: reason, message } = error
  const code =
    reason === 'refused'
      ? 'bad_request'
      : reason === 'not_a_repository'
        ? 'repo_not_found'
        : 'internal'
  throw new HubError(code, { message, reason }, { cause: error })
}
