// Undo restores the files of a turn as they were before it; redo brings them back. A snapshot of the present is kept first, so that every
// undo can be redone. Files that somebody else has changed since are not touched, unless the caller forces it.
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Checkpoints as CheckpointList, Restored, UndoInput } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import { removeUnfinished } from '../../repos/files/replace-file.js'
import { toText } from '../../repos/git/status-lines.js'
import { type Snapshot, takeSnapshot } from '../../repos/git/working-tree-snapshot.js'
import { Slots } from '../../slots.js'
import { makeOwnFolder, UNDO_FOLDER } from '../../store/data-files.js'
import type { EventLog } from '../log/event-log.js'
import { type Checkpoints, findAfter, keepFact, readCheckpoints, type Undo } from './checkpoints.js'
import type { SessionChanges } from './session-changes.js'
import { type PlannedStep, planStep, prepareStep, type Step } from './restore.js'

export type UndoDeps = {
  /** The folder of all snapshots, with one folder for each session. */
  readonly folder: string
  readonly dataDir: string
  readonly changes: Pick<SessionChanges, 'restore'>
  readonly eventLog: EventLog
  readonly log: Log
}

export type RestoreRequest = {
  readonly sessionId: string
  readonly workTree: string
  readonly isWorking: () => boolean
  readonly force?: UndoInput['force'] | undefined
  readonly by: string
}

const UNFINISHED = '.new'

/** An undo or redo in progress, as its journal file stores it. */
type Journal = PlannedStep & {
  /** Files of the turn that are not restored. */
  readonly left: readonly string[]
  readonly by: string
  readonly is: 'undo' | 'redo'
  readonly undo: Undo
}

export class TurnUndo {
  readonly #deps: UndoDeps
  /** The folder with a journal for each step in progress. */
  readonly #journals: string
  /** One step at a time in a work tree. */
  readonly #slots = new Map<string, Slots>()

  private constructor(deps: UndoDeps) {
    this.#deps = deps
    this.#journals = makeOwnFolder(deps.dataDir, UNDO_FOLDER)
  }

  /** Finishes the steps that a crash has interrupted. */
  static async open(deps: UndoDeps): Promise<TurnUndo> {
    const undo = new TurnUndo(deps)
    await undo.#finishAll()
    return undo
  }

  /** Throws `files_changed` with the paths that somebody else has changed. */
  undo(turnId: string, request: RestoreRequest): Promise<Restored> {
    return this.#alone(request, async (folder) => {
      const checkpoints = await readCheckpoints(folder)
      const before = checkpoints.turns.get(turnId)?.before
      if (before === undefined) throw new HubError('checkpoint_not_found', { turnId })
      const now = await keepNow(folder, request.workTree, checkpoints)
      const from = findAfter(checkpoints, turnId) ?? now
      const undo = { undoId: uuidv7(), turnId, from: now, paths: [] }
      const step = { folder, workTree: request.workTree, from, to: before, now }
      return this.#run(step, { ...request, is: 'undo', undo })
    })
  }

  /** Brings back the files of the latest undo. */
  redo(request: RestoreRequest): Promise<Restored> {
    return this.#alone(request, async (folder) => {
      const checkpoints = await readCheckpoints(folder)
      const undo = checkpoints.undone.at(-1)
      const from = undo && checkpoints.turns.get(undo.turnId)?.before
      if (undo === undefined || from === undefined) throw new HubError('nothing_to_redo')
      const { workTree } = request
      const now = await keepNow(folder, workTree, checkpoints)
      const step = { folder, workTree, from, to: undo.from, now, paths: undo.paths }
      return this.#run(step, { ...request, is: 'redo', undo })
    })
  }

  async list(sessionId: string): Promise<CheckpointList> {
    const { turns, undone } = await readCheckpoints(join(this.#deps.folder, sessionId))
    const isUndone = new Set(undone.map(({ turnId }) => turnId))
    const checkpoints = [...turns.values()].map(({ turnId, before }) => ({
      turnId,
      ...(before && { at: new Date(before.at).toISOString() }),
      isKept: before !== undefined,
      isUndone: isUndone.has(turnId),
    }))
    const redo = undone.at(-1)?.turnId
    return { checkpoints, ...(redo !== undefined && { redo }) }
  }

  async #run(
    step: Step,
    request: RestoreRequest & Pick<Journal, 'is' | 'undo'>,
  ): Promise<Restored> {
    const { sessionId, force, by, is } = request
    const plan = await planStep(step)
    if (plan.changed.length > 0 && force === undefined)
      throw new HubError('files_changed', { paths: plan.changed.map(toText) })
    const paths = [...plan.paths, ...(force === 'all' ? plan.changed : [])]
    const left = [...plan.left, ...(force === 'others' ? plan.changed : [])]
    // An undo without files leaves nothing to redo.
    if (is === 'undo' && paths.length === 0) return { paths: [], left: left.map(toText) }
    const { folder, workTree, to } = step
    // The files that are written are still as in `now`.
    const from = step.now
    const undo = { ...request.undo, ...(is === 'undo' && { paths }) }
    return this.#apply({ sessionId, folder, workTree, from, to, paths, left, by, is, undo })
  }

  async #apply(journal: Journal): Promise<Restored> {
    const { sessionId, folder, is, undo, by } = journal
    await using step = await prepareStep(journal)
    const file = join(this.#journals, `${sessionId}.json`)
    await writeFile(`${file}${UNFINISHED}`, JSON.stringify(journal))
    await rename(`${file}${UNFINISHED}`, file)
    const failed = new Set(await step.apply())
    const paths = journal.paths.filter((path) => !failed.has(path))
    keepFact(folder, is === 'undo' ? { undone: { ...undo, paths } } : { redone: undo.undoId })
    const left = [...journal.left, ...failed]
    const restored = { paths: paths.map(toText), left: left.map(toText) }
    const { turnId, undoId } = undo
    await this.#record(sessionId, { ...restored, turnId, undoId, by, is })
    await rm(file)
    return restored
  }

  async #finishAll(): Promise<void> {
    const { log } = this.#deps
    for (const name of await readdir(this.#journals)) {
      const file = join(this.#journals, name)
      // The journal was not complete, so the step had not begun.
      if (name.endsWith(UNFINISHED)) await rm(file)
      else
        await this.#finish(file).catch((error: unknown) =>
          log.error({ err: error, file }, 'could not finish an undo that a crash interrupted'),
        )
    }
  }

  /** Does not touch files that were changed since the crash. */
  async #finish(file: string): Promise<void> {
    const journal = JSON.parse(await readFile(file, 'utf8')) as Journal
    const { sessionId, workTree } = journal
    await removeUnfinished({ root: workTree, sessionId }, journal.paths)
    const now = await takeSnapshot(workTree, { folder: journal.folder })
    const { changed } = await planStep({ ...journal, now })
    const paths = journal.paths.filter((path) => !changed.includes(path))
    await this.#apply({ ...journal, paths, left: [...journal.left, ...changed] })
  }

  async #record(
    sessionId: string,
    {
      is,
      turnId,
      ...details
    }: Restored & Pick<Journal, 'is' | 'by'> & Pick<Undo, 'turnId' | 'undoId'>,
  ): Promise<void> {
    const count = details.paths.length === 1 ? '1 file' : `${details.paths.length} files`
    const message =
      is === 'undo'
        ? `Undone: ${count} as before this turn.`
        : `Redone: ${count} as after this turn.`
    const code = is === 'undo' ? 'turn_undone' : 'turn_redone'
    const data = { severity: 'info', code, message, turnId, details } as const
    await this.#deps.eventLog.append(sessionId, { type: 'notice', data })
  }

  /** Runs one step at a time in a work tree. Throws `turn_running` during a turn of the session. */
  #alone<T>(
    { sessionId, workTree, isWorking }: RestoreRequest,
    work: (folder: string) => Promise<T>,
  ): Promise<T> {
    const slots = this.#slots.get(workTree) ?? new Slots(1)
    this.#slots.set(workTree, slots)
    const { folder, changes } = this.#deps
    const done = slots.run(() =>
      changes.restore(sessionId, async () => {
        if (isWorking()) throw new HubError('turn_running', { sessionId })
        return work(join(folder, sessionId))
      }),
    )
    return done.finally(() => slots.isIdle && this.#slots.delete(workTree))
  }
}

/** Takes a snapshot of the present. If the work tree after the latest turn is not kept yet, the snapshot is kept as that. */
async function keepNow(
  folder: string,
  workTree: string,
  checkpoints: Checkpoints,
): Promise<Snapshot> {
  const now = await takeSnapshot(workTree, { folder })
  const latest = [...checkpoints.turns.values()].at(-1)
  if (latest && latest.after === undefined) keepFact(folder, { turnId: latest.turnId, after: now })
  return now
}
