// Copies of everything that the hub has to keep: the states of each session's work tree, and those of discarded ones.
import { join } from 'node:path'
import type { TestRepo } from '../../git-fixture.js'
import { describeDifference, type FolderState, isSameState, readFolder } from './folder-state.js'

export class SessionCopies {
  readonly id: string
  readonly path: string
  readonly branch: string
  /** Every state that the work tree ever had between two actions. */
  readonly states: FolderState[] = []
  readonly turns = new Map<string, { readonly before: FolderState; after?: FolderState }>()
  /** The states that the work tree may be in after a kill. */
  allowed: readonly FolderState[] = []
  /** A discard was requested: the work tree may be gone if its last state is kept. */
  isDiscarding = false
  isInBase = false
  /** A rebase was requested: its branch moves to the base after that has moved. */
  mayFollowBase = false

  constructor({ id, path, branch }: { id: string; path: string; branch: string }) {
    this.id = id
    this.path = path
    this.branch = branch
    this.record()
  }

  /** The present state, which is then the only one allowed. */
  record(): FolderState {
    const now = readFolder(this.path)
    if (!this.states.some((state) => isSameState(state, now))) this.states.push(now)
    this.allowed = [now]
    return now
  }
}

export class WorkspaceShadow {
  readonly repo: TestRepo
  readonly dataDir: string
  readonly outside: string
  readonly sessions = new Map<string, SessionCopies>()
  /** By reference. */
  readonly kept = new Map<string, FolderState>()
  readonly violations: string[] = []
  readonly counts = new Map<string, number>()
  readonly #outsideState: FolderState
  round = 0
  statesCompared = 0
  /** The session that the client works in. */
  current: SessionCopies | undefined
  /** The commit of the base branch, and whether a merge may have moved it. */
  base: string
  isMerging = false

  constructor({ repo, dataDir, outside }: { repo: TestRepo; dataDir: string; outside: string }) {
    this.repo = repo
    this.dataDir = dataDir
    this.outside = outside
    this.#outsideState = readFolder(outside)
    this.base = this.readBase()
  }

  readBase(): string {
    return this.repo.git('rev-parse', 'main').trim()
  }

  snapshotsOf(id: string): string {
    return join(this.dataDir, 'snapshots', id)
  }

  count(action: string): void {
    this.counts.set(action, (this.counts.get(action) ?? 0) + 1)
  }

  blame(what: string): void {
    this.violations.push(`round ${this.round}: ${what}`)
  }

  /** `found` must be one of the copies. */
  compare(what: string, found: FolderState, copies: readonly FolderState[]): void {
    this.statesCompared += 1
    if (copies.some((copy) => isSameState(found, copy))) return
    const differences = copies.slice(-2).map((copy) => describeDifference(found, copy))
    this.blame(`${what} differs: ${differences.join(' | ')}`)
  }

  compareOutside(): void {
    this.compare('the folder outside', readFolder(this.outside), [this.#outsideState])
  }
}
