// Keeps the data directory small: plans which ended sessions a policy removes and what that frees, and removes them.
// Active and pinned sessions always stay, and so do those with forks, whose logs begin with theirs.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Cleaned, CleaningPlan, CleaningPolicy } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { mediaPath } from '../../store/data-files.js'
import { type DiskPart, measurePath } from '../../store/disk-use.js'
import type { StoredSession } from '../../store/upkeep-store.js'
import { type RemovalOptions, type Removed, SessionRemoval } from './session-removal.js'
import { type SessionSize, SessionSizes } from './session-sizes.js'

type PlannedSession = CleaningPlan['sessions'][number]

const DAY_MS = 86_400_000

export class Retention {
  readonly #store: RemovalOptions['store']
  readonly #mediaFolder: string
  readonly #snapshotsFolder: string
  readonly #sizes: SessionSizes
  readonly #removal: SessionRemoval
  readonly #hasUnsavedWork: RemovalOptions['hasUnsavedWork']
  readonly #findDiscarded: RemovalOptions['findDiscarded']

  constructor(options: RemovalOptions) {
    this.#store = options.store
    this.#mediaFolder = options.mediaFolder
    this.#snapshotsFolder = options.snapshotsFolder
    this.#sizes = new SessionSizes(options.store.upkeep)
    this.#removal = new SessionRemoval(options)
    this.#hasUnsavedWork = options.hasUnsavedWork
    this.#findDiscarded = options.findDiscarded
  }

  isRemoved(sessionId: string): boolean {
    return this.#removal.isRemoved(sessionId)
  }

  /** Throws `session_not_found` for a session that is removed or being removed. Called in the tick in which a session is resumed or changed. */
  requireNotRemoved(sessionId: string): void {
    if (this.isRemoved(sessionId)) throw new HubError('session_not_found', { sessionId })
  }

  /** Continues removals that a crash interrupted. Called at the start of the hub, before it serves. */
  finishRemovals(): Promise<readonly Removed[]> {
    return this.#removal.finish()
  }

  /** Only reads. `apply` frees exactly this, unless sessions change in between. */
  async plan(policy: CleaningPolicy, now = Date.now()): Promise<CleaningPlan> {
    const sessions = await this.#markWork(await this.#choose(policy, now))
    const media = await this.#sizes.media()
    const freed = sum(sessions.map(({ id }) => media.release(id)))
    return {
      sessions,
      ...countRows(sessions),
      media: freed,
      workTrees: sum(sessions.map(({ workTree }) => workTree)),
      unusedMedia: await this.#forEachUnusedFile((sha256) => this.#findSize(sha256)),
    }
  }

  /** Removes the planned sessions that have not changed since, in small steps. */
  async apply(plan: CleaningPlan): Promise<Cleaned> {
    await this.finishRemovals()
    const removed: Removed[] = []
    for (const { id, lastSeq } of plan.sessions) {
      const discarded = await this.#findDiscarded?.(id)
      const gone = await this.#removal.remove(id, { lastSeq })
      if (gone === undefined) continue
      removed.push(gone)
      await discarded?.forget()
    }
    const unusedMedia = await this.#forEachUnusedFile(async (sha256) =>
      this.#removal.removeFileIfUnused(sha256),
    )
    const ids = removed.map(({ id }) => id)
    return {
      removed: ids,
      kept: plan.sessions.map(({ id }) => id).filter((id) => !ids.includes(id)),
      ...countRows(removed),
      media: sum(removed.map(({ media }) => media)),
      workTrees: sum(removed.map(({ workTree }) => workTree)),
      unusedMedia,
      reusableBytes: await this.reusableBytes(),
    }
  }

  /** Also a pinned one. Undefined when it is active, unknown or being removed. */
  purgeSession(sessionId: string): Promise<Removed | undefined> {
    return this.#removal.remove(sessionId, { evenPinned: true })
  }

  /** Free space inside the database file. */
  async reusableBytes(): Promise<number> {
    return this.#store.upkeep.reusableBytes()
  }

  async #markWork(sessions: readonly PlannedSession[]): Promise<PlannedSession[]> {
    const marked: PlannedSession[] = []
    for (const session of sessions) {
      const unsaved = (await this.#hasUnsavedWork?.(session.id)) && { unsaved: true as const }
      const discarded = (await this.#findDiscarded?.(session.id))?.reference
      marked.push({ ...session, ...unsaved, ...(discarded !== undefined && { discarded }) })
    }
    return marked
  }

  async #choose(policy: CleaningPolicy, now: number): Promise<PlannedSession[]> {
    const all = await this.#sizes.sessions()
    const candidates = all
      .filter(
        ({ id, isEnded, isPinned, hasForks }) =>
          isEnded && !isPinned && !hasForks && !this.isRemoved(id),
      )
      .toSorted((a, b) => a.endedAt - b.endedAt)
    const limit = policy.olderThanDays
    const isOld = ({ endedAt }: StoredSession): boolean =>
      limit !== undefined && endedAt < now - limit * DAY_MS
    if (policy.maxBytes === undefined) return this.#measure(candidates.filter(isOld))
    const sizes = await this.#measure(all)
    const byId = new Map(sizes.map((session) => [session.id, session]))
    const media = await this.#sizes.media()
    const ownBytes = ({ bytes, workTree }: PlannedSession): number => bytes + workTree.bytes
    let held = media.totalBytes + sizes.reduce((total, size) => total + ownBytes(size), 0)
    const chosen: PlannedSession[] = []
    for (const candidate of candidates) {
      const planned = byId.get(candidate.id)
      if (planned === undefined || (held <= policy.maxBytes && !isOld(candidate))) break
      held -= ownBytes(planned) + media.release(planned.id).bytes
      chosen.push(planned)
    }
    return chosen
  }

  async #measure(sessions: readonly StoredSession[]): Promise<PlannedSession[]> {
    const measured: PlannedSession[] = []
    for (const { id, title, lastSeq, ...session } of sessions) {
      const endedAt = new Date(session.endedAt).toISOString()
      const size = await this.#sizes.sizeOf(id)
      const workTree = await measurePath(join(this.#snapshotsFolder, id))
      measured.push({ id, title, endedAt, lastSeq, ...size, workTree })
      await setImmediate()
    }
    return measured
  }

  async #forEachUnusedFile(
    take: (sha256: string) => Promise<number | undefined>,
  ): Promise<DiskPart> {
    let files = 0
    let bytes = 0
    for (const folder of await namesIn(this.#mediaFolder)) {
      const names = await namesIn(join(this.#mediaFolder, folder))
      for (const sha256 of names.filter((name) => IS_HASH.test(name))) {
        if (await this.#store.media.isUsed(sha256)) continue
        const size = await take(sha256)
        files += size === undefined ? 0 : 1
        bytes += size ?? 0
      }
    }
    return { files, bytes }
  }

  async #findSize(sha256: string): Promise<number | undefined> {
    const found = await stat(mediaPath(this.#mediaFolder, sha256)).catch(() => null)
    return found?.size
  }
}

const IS_HASH = /^[0-9a-f]{64}$/

function countRows(sessions: readonly SessionSize[]) {
  return {
    events: sessions.reduce((total, { events }) => total + events, 0),
    messages: sessions.reduce((total, { messages }) => total + messages, 0),
    databaseBytes: sessions.reduce((total, { bytes }) => total + bytes, 0),
  }
}

function sum(parts: readonly DiskPart[]): DiskPart {
  return {
    files: parts.reduce((total, { files }) => total + files, 0),
    bytes: parts.reduce((total, { bytes }) => total + bytes, 0),
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
