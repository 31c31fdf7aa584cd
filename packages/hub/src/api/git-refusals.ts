// Errors of git and of files in a repository, as errors of the hub.
import type { ErrorCode } from '@quayside/protocol'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { FileAccessError } from '../repos/files/confined-files.js'
import { GitError } from '../repos/git/git.js'

const GIT_ERRORS: Partial<Record<GitError['code'], ErrorCode>> = {
  refused: 'path_outside_root',
  not_a_repository: 'repo_not_found',
}

const FILE_ERRORS: Partial<Record<FileAccessError['code'], ErrorCode>> = {
  outside: 'path_outside_root',
  not_found: 'not_found',
  invalid_path: 'bad_request',
}

/** Throws an error of git as one of the hub, and any other as it is. */
export function refuseGit(error: unknown): never {
  if (!(error instanceof GitError)) throw error
  const { code: reason, message } = error
  throw new HubError(GIT_ERRORS[reason] ?? 'git_failed', { message, reason }, { cause: error })
}

/** As `refuseGit`, for a path that a caller sent. */
export function refusePath(path: string | undefined, log: Log): (error: unknown) => never {
  return (error) => {
    if (error instanceof GitError && error.code === 'refused')
      log.warn({ security: true, path }, 'a path outside the repository was refused')
    refuseGit(error)
  }
}

export function refuseFile(log: Log): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof FileAccessError)) throw error
    const { code: reason, message } = error
    if (reason === 'outside') log.warn({ security: true, problem: message }, 'a file was refused')
    const code = FILE_ERRORS[reason] ?? 'file_unreadable'
    throw new HubError(code, { message, reason }, { cause: error })
  }
}
