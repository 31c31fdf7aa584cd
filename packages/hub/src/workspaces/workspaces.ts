// The folders in which sessions work: the repository's own work tree, or a git work tree for each session in the data directory.
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type {
  ComparedSessions,
  Workspace,
  UnsavedWork,
  WorkspaceAction,
  WorkspaceResult,
  WorktreeInProgress,
} from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { askTrustedGit, runTrustedGit } from '../repos/git/trusted-git.js'
import type { Repos } from '../repos/repos.js'
import { bringIn, commitAll } from './bring-in.js'
import { discard, discardOrphan, findUnsaved, forgetKept } from './discard.js'
import { draftPullRequest, openPullRequest } from './pull-request.js'
import { includeFiles } from './include-files.js'
import {
  finishRemovals,
  makeWorktree,
  openBase,
  type OpenBase,
  removeWorktree,
  type WorktreeFiles,
} from './make-worktree.js'

export type WorkspacesDeps = {
  /** One folder for each session with a work tree of its own. */
  readonly folder: string
  readonly repos: Pick<Repos, 'requireInsideRoot'>
  readonly log: Log
}

export type NewWorkspace = {
  readonly id: string
  readonly repoId: string
  /** The words that name the branch. */
  readonly words?: string | undefined
  readonly settings: SessionSettings
  /** The files that a fork begins with. */
  readonly files?: WorktreeFiles | undefined
  /** Set for a session of a comparison. */
  readonly compared?: Compared | undefined
}

export type Compared = { readonly base: OpenBase; readonly comparison: ComparedSessions }

export type CreatedWorkspace = {
  readonly workspace: Workspace
  /** A sentence for people about files that are missing in the work tree. */
  readonly warning?: string
  /** The command that prepares the work tree. */
  readonly setup?: string
}

/** The repository and the work tree of a session, by its row. */
export type SessionWorkspace = {
  readonly repoId: string
  readonly workspace?: Workspace | undefined
}

type DiscardedWork = { readonly reference: string; readonly forget: () => Promise<void> }

type WithId = SessionWorkspace & { readonly id: string }

export class Workspaces {
  readonly #deps: WorkspacesDeps
  /** The work trees that are being made, by session. */
  readonly #making = new Map<
    string,
    { readonly repoId: string; readonly progress: WorktreeInProgress }
  >()

  constructor(deps: WorkspacesDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_settings` for a base that does not exist, `git_failed`, and as `Repos.requireInsideRoot` does. */
  async create(wanted: NewWorkspace): Promise<CreatedWorkspace> {
    const { settings, compared } = wanted
    const repo = this.#deps.repos.requireInsideRoot(wanted.repoId)
    const { path } = repo
    const kind = settings.workspace ?? repo.workspace
    if (kind === 'shared') return { workspace: { kind, path } }
    const { setup } = repo.settings
    const command = setup && { setup }
    if (compared) return { ...(await this.#make(wanted, path, compared.base)), ...command }
    await using base = await openBase(path, { base: settings.base, files: wanted.files })
    return { ...(await this.#make(wanted, path, base)), ...command }
  }

  async #make(
    { id, repoId, words, compared }: NewWorkspace,
    repository: string,
    open: OpenBase,
  ): Promise<CreatedWorkspace> {
    const { folder, log } = this.#deps
    const path = join(folder, id, basename(repository))
    const onFiles = (files?: WorktreeInProgress['files']) =>
      this.#making.set(id, { repoId, progress: { sessionId: id, ...(files && { files }) } })
    onFiles()
    const request = { repository, path, base: open, session: { id, words }, onFiles }
    const branch = await makeWorktree(request)
      .catch(async (error: unknown) => {
        await rm(join(folder, id), { recursive: true, force: true })
        throw error
      })
      .finally(() => this.#making.delete(id))
    const base = open.name
    log.info({ sessionId: id, path, branch, base }, 'made a work tree')
    const comparison = compared && { comparison: compared.comparison }
    const workspace = { kind: 'worktree', path, branch, base, ...comparison } as const
    const { include: patterns } = this.#deps.repos.requireInsideRoot(repoId).settings
    const included = includeFiles({ repository, workTree: path, patterns })
    const warning = await included.catch((error: unknown) => {
      log.warn({ err: error, sessionId: id }, 'could not copy the files that git does not track')
      return 'The files that git does not track could not be copied into the work tree.'
    })
    return { workspace, ...(warning !== undefined && { warning }) }
  }

  /** The work trees of a repository that are being made. */
  inProgress(repoId: string): WorktreeInProgress[] {
    const making = [...this.#making.values()].filter((one) => one.repoId === repoId)
    return making.map(({ progress }) => progress)
  }

  /** Throws as `openBase` and `Repos.requireInsideRoot` do. */
  openBase(repoId: string, wanted: string | undefined): Promise<OpenBase> {
    const { path } = this.#deps.repos.requireInsideRoot(repoId)
    return openBase(path, { base: wanted })
  }

  /** Removes the work tree of a session that could not be started. It contains no work. */
  async forget(repoId: string, { kind, path, branch }: Workspace): Promise<void> {
    if (kind === 'shared') return
    const { path: repository } = this.#deps.repos.requireInsideRoot(repoId)
    await removeWorktree({ repository, path, branch })
    await rm(dirname(path), { recursive: true, force: true })
  }

  /** Removes the work tree of a removed session. Work that its base does not have is kept under a reference. When that fails, the folder stays. */
  async release(session: WithId): Promise<void> {
    const { id: sessionId, workspace } = session
    const { branch, path = '', isRemoved } = workspace ?? {}
    if (branch === undefined || isRemoved || !existsSync(path)) return
    const { folder, log } = this.#deps
    try {
      const kept = await this.discard(session)
      await rm(join(folder, sessionId), { recursive: true, force: true })
      log.info({ sessionId, branch, kept }, 'removed the work tree of a session')
    } catch (error) {
      log.warn(
        { err: error, sessionId, path },
        'could not remove the work tree of a removed session',
      )
    }
  }

  /** Removes work trees that a crash left without a session or partly removed. `ids` are the sessions that had a folder when the hub started. */
  async sweep(ids: readonly string[], exists: (id: string) => Promise<boolean>): Promise<void> {
    const { folder, log } = this.#deps
    for (const sessionId of ids) {
      const own = join(folder, sessionId)
      try {
        await finishRemovals(own)
        if (await exists(sessionId)) continue
        for (const name of await readdir(own)) await discardOrphan(sessionId, join(own, name))
        await rm(own, { recursive: true })
        log.info({ sessionId }, 'removed a work tree without a session')
      } catch (error) {
        log.warn({ err: error, path: own }, 'could not remove a work tree without a session')
      }
    }
  }

  /** The sessions that have a folder here. */
  ids(): Promise<string[]> {
    return readdir(this.#deps.folder)
  }

  /** Removes the work tree and the branch, and returns the reference that keeps their work. Idempotent. Throws errors of git. */
  async discard({ id, repoId, workspace }: WithId): Promise<string | undefined> {
    const { branch, base = '', path = '' } = workspace ?? {}
    if (branch === undefined || !existsSync(path)) return undefined
    const { path: repository } = this.#deps.repos.requireInsideRoot(repoId)
    return discard({ sessionId: id, repository, path, branch, base })
  }

  /** The work that somebody discarded: kept until the session is cleaned up. */
  findDiscarded({ id, repoId, workspace }: WithId): DiscardedWork | undefined {
    const { isRemoved, kept: reference } = workspace ?? {}
    if (!isRemoved || reference === undefined) return undefined
    const forget = async (): Promise<void> => {
      const { repos, log } = this.#deps
      try {
        await forgetKept(repos.requireInsideRoot(repoId).path, id)
        log.info({ sessionId: id, reference }, 'removed the discarded work of a session')
      } catch (error) {
        log.warn({ err: error, sessionId: id, reference }, 'the discarded work of a session stays')
      }
    }
    return { reference, forget }
  }

  /** The work that a removal of the session would keep under a reference. Throws errors of git. */
  async findUnsaved({ id, repoId, workspace }: WithId): Promise<UnsavedWork> {
    const { branch, base = '', path = '' } = workspace ?? {}
    if (branch === undefined || !existsSync(path)) return { files: [], commits: 0 }
    const { path: repository } = this.#deps.repos.requireInsideRoot(repoId)
    return findUnsaved({ sessionId: id, repository, path, branch, base })
  }

  /** Runs one action. Throws `workspace_shared`, `workspace_dirty`, `merge_conflict`, and errors of git. */
  async act(
    action: WorkspaceAction & { readonly message: string },
    session: WithId & { readonly title: string | null },
  ): Promise<WorkspaceResult> {
    const path = this.require(session)
    const workspace = session.workspace ?? { kind: 'shared', path }
    const { message } = action
    if (action.action === 'commit') return { workspace, ...(await commitAll(path, message)) }
    const { branch, base } = workspace
    if (branch === undefined || base === undefined) throw new HubError('workspace_shared')
    const { path: repository } = this.#deps.repos.requireInsideRoot(session.repoId)
    switch (action.action) {
      case 'push':
      case 'pullRequest': {
        const { remote = 'origin' } = action
        await requireRemote(path, remote)
        const pushed = { path, branch, base, remote, title: session.title }
        if (action.action === 'pullRequest')
          return { workspace, output: await openPullRequest(pushed, action) }
        const output = await runTrustedGit(['push', '--set-upstream', remote, branch], path)
        const pullRequest = await draftPullRequest(pushed)
        return { workspace, output, ...(pullRequest && { pullRequest }) }
      }
      case 'discard': {
        const kept = await this.discard(session)
        const reference = kept === undefined ? {} : { kept }
        const gone = { ...workspace, isRemoved: true, ...reference } as const
        return { workspace: gone, output: '', ...reference }
      }
      default: {
        const into = action.into ?? base
        const request = { how: action.action, repository, path, branch, into, message }
        return { workspace, ...(await bringIn(request)) }
      }
    }
  }

  /** The real path of the session's work tree. Throws `workspace_missing` when it was removed. */
  require({ repoId, workspace }: SessionWorkspace): string {
    const { path: repository } = this.#deps.repos.requireInsideRoot(repoId)
    if (workspace === undefined || workspace.kind === 'shared') return repository
    if (!workspace.isRemoved && existsSync(workspace.path)) return workspace.path
    throw new HubError('workspace_missing', { path: workspace.path })
  }
}

/** Only remotes in the repository's settings are allowed: an address could name a program, and a folder could have hooks. */
async function requireRemote(path: string, remote: string): Promise<void> {
  const remotes = (await askTrustedGit(['remote'], path)).split('\n')
  if (remotes.includes(remote)) return
  const message = `The repository has no remote ${remote}. Add one with: git remote add ${remote} ADDRESS`
  throw new HubError('invalid_settings', { message, remote })
}
