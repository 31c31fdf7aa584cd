// Forks a session: a new one that shares its conversation up to a turn, in a work tree of its own with the files of that turn.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForkPoint } from '@quayside/protocol'
import type { ForkInput } from '@quayside/protocol/schemas'
import { v7 as uuidv7 } from 'uuid'
import type { ServerSecrets } from '../agents/mcp/server-secrets.js'
import { HubError } from '../errors.js'
import type { TurnRange } from '../store/event-store.js'
import type { Store } from '../store/store.js'
import type { WorktreeFiles } from '../workspaces/make-worktree.js'
import type { Workspaces } from '../workspaces/workspaces.js'
import { type FilesAt, forkFiles } from './changes/fork-files.js'
import type { SessionChanges } from './changes/session-changes.js'
import type { Session } from './live/session.js'
import type { EventLog } from './log/event-log.js'
import type { SessionReader } from './reading/session-reader.js'
import type { Sessions } from './sessions.js'
import type { Retention } from './upkeep/retention.js'

export type ForksDeps = {
  readonly store: Pick<Store, 'events' | 'sessions'>
  readonly eventLog: EventLog
  readonly reader: SessionReader
  readonly sessions: Sessions
  readonly changes: SessionChanges
  readonly workspaces: Workspaces
  readonly secrets: ServerSecrets
  readonly retention: Retention
  /** The folder with the kept files of each session. */
  readonly snapshotsFolder: string
}

/** The point of a session that its fork begins from. */
type ForkOrigin = {
  readonly from: ForkPoint
  /** Undefined for the present files. */
  readonly files: FilesAt | undefined
  /** The fork has all turns of the session. */
  readonly isLast: boolean
}

export class Forks {
  readonly #deps: ForksDeps
  /** Sessions that are being forked, with the number of their forks. */
  readonly #forking = new Map<string, number>()

  constructor(deps: ForksDeps) {
    this.#deps = deps
  }

  /** Resolves with the live fork. Throws as `Sessions.begin` does, and `turn_not_found`, `turn_running`, `checkpoint_not_found`. */
  async create(sessionId: string, input: ForkInput, by: string): Promise<Session> {
    this.#deps.retention.requireNotRemoved(sessionId)
    this.#forking.set(sessionId, (this.#forking.get(sessionId) ?? 0) + 1)
    try {
      return await this.#create(sessionId, input, by)
    } finally {
      const left = (this.#forking.get(sessionId) ?? 1) - 1
      if (left === 0) this.#forking.delete(sessionId)
      else this.#forking.set(sessionId, left)
    }
  }

  /** True while a fork of the session is being made. It must not be removed then: the fork needs its log. */
  isForking(sessionId: string): boolean {
    return this.#forking.has(sessionId)
  }

  async #create(sessionId: string, input: ForkInput, by: string): Promise<Session> {
    const { reader, sessions, secrets, snapshotsFolder } = this.#deps
    const row = await reader.requireRow(sessionId)
    const origin = await this.#find(sessionId, input)
    const { title = row.title ?? undefined, makeRoom } = input
    const { workspace: _, base: __, ...kept } = secrets.reveal(sessionId, row.settings)
    // Work that is done is brought into the branch that the first session began from.
    const base = row.workspace?.base
    const settings = { ...kept, workspace: 'worktree', ...(base && { base }) } as const
    const id = uuidv7()
    try {
      const files = await this.#filesOf(sessionId, origin, id)
      const acpSessionId = origin.isLast ? (row.acpSessionId ?? undefined) : undefined
      const turns = {
        waiting: [],
        findPrompt: (turnId: string) => reader.findPrompt(id, turnId),
      }
      const past = { forkOf: { acpSessionId }, turns }
      const fork = { from: origin.from, files, past }
      const { repoId, extensionId } = row
      return await sessions.begin({ id, repoId, extensionId, title, settings, makeRoom, fork, by })
    } catch (error) {
      await rm(join(snapshotsFolder, id), { recursive: true, force: true })
      throw error
    }
  }

  async #find(sessionId: string, { turnId, before }: ForkInput): Promise<ForkOrigin> {
    const { store, eventLog } = this.#deps
    const last = await store.events.findLastTurn(sessionId)
    if (turnId === undefined) {
      // A turn that runs is left out.
      if (last && last.endedSeq === undefined) return this.#findBefore(sessionId, last)
      const seq = await eventLog.lastSeq(sessionId)
      return { from: pointOf(sessionId, seq, last), files: undefined, isLast: true }
    }
    const turn = await store.events.findTurn(sessionId, turnId)
    if (turn === undefined) throw new HubError('turn_not_found', { sessionId, turnId })
    if (before) return this.#findBefore(sessionId, turn)
    if (turn.endedSeq === undefined) throw new HubError('turn_running', { sessionId, turnId })
    const isLast = last?.turnId === turnId
    const from = pointOf(sessionId, turn.endedSeq, turn)
    return { from, files: { turnId, is: 'after' }, isLast }
  }

  async #findBefore(sessionId: string, { turnId, startedSeq }: TurnRange): Promise<ForkOrigin> {
    const seq = startedSeq - 1
    const earlier = await this.#deps.store.events.findLastTurn(sessionId, seq)
    const from = pointOf(sessionId, seq, earlier)
    return { from, files: { turnId, is: 'before' }, isLast: false }
  }

  async #filesOf(sessionId: string, origin: ForkOrigin, forkId: string): Promise<WorktreeFiles> {
    const { reader, workspaces, changes, snapshotsFolder } = this.#deps
    await changes.settle(sessionId)
    const summary = await reader.requireSummary(sessionId)
    return forkFiles({
      folder: snapshotsFolder,
      sessionIds: await this.#lineOf(sessionId),
      forkId,
      workTree: () => workspaces.require(summary),
      at: origin.files,
      isLast: origin.isLast,
    })
  }

  /** The session and those that it was forked from. */
  async #lineOf(sessionId: string): Promise<string[]> {
    const line: string[] = []
    for (let id: string | null = sessionId; id !== null;) {
      line.push(id)
      const row = await this.#deps.store.sessions.findSummary(id)
      id = row?.forkedFrom ?? null
    }
    return line
  }
}

function pointOf(sessionId: string, seq: number, turn: TurnRange | undefined): ForkPoint {
  return { sessionId, ...(turn && { turnId: turn.turnId }), seq }
}
