// The actions of a client and a person in a session with a work tree of its own. Each expects its result before it asks the hub.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorBody, Repo, Restored, SessionSummary, WorkspaceResult } from '@quayside/protocol'
import { expect } from 'vitest'
import {
  type Checkpoints,
  findAfter,
  readCheckpoints,
} from '../../../src/sessions/changes/checkpoints.js'
import { TestRepo } from '../../git-fixture.js'
import { TestFeed } from '../../test-feed.js'
import { TOKEN } from '../../test-hub.js'
import type { Dice } from '../plan.js'
import { editFiles } from './edits.js'
import { expectStep, type StepInput } from './expected-step.js'
import { type FolderState, readTree, toText } from './folder-state.js'
import { SessionCopies, type WorkspaceShadow } from './workspace-shadow.js'

const SETTINGS = { permissions: { mode: 'auto', rules: [] }, workspace: 'worktree' }
const LIMIT_MS = 30_000

export type Action =
  | 'create'
  | 'turn'
  | 'edit'
  | 'undo'
  | 'redo'
  | 'commit'
  | 'merge'
  | 'squash'
  | 'rebase'
  | 'discard'
  | 'fork'

export const ACTIONS: readonly Action[] = [
  ...(['turn', 'turn', 'turn', 'edit', 'undo', 'undo', 'undo', 'redo', 'redo'] as const),
  ...(['commit', 'merge', 'squash', 'rebase', 'discard', 'create', 'fork', 'fork'] as const),
]

type ClientDeps = {
  readonly address: string
  readonly shadow: WorkspaceShadow
  readonly dice: Dice
}
type Answer = { readonly status: number; readonly body: unknown }

export class WorkspaceClient {
  readonly #deps: ClientDeps

  constructor(deps: ClientDeps) {
    this.#deps = deps
  }

  /** Goes on with a session, or begins one. */
  async open(): Promise<void> {
    const { shadow, dice } = this.#deps
    const known = [...shadow.sessions.values()].filter(({ isDiscarding }) => !isDiscarding)
    shadow.current = undefined
    if (known.length === 0 || dice.chance(0.2)) return this.create()
    const session = dice.pick(known)
    const { status, body } = await this.#post(`/api/sessions/${session.id}/resume`, {})
    if (status !== 200) throw new Error(`resume: ${JSON.stringify(body)}`)
    await this.#endQueuedTurns(session, (body as SessionSummary).lastSeq)
    shadow.current = session
  }

  async requireOpen(): Promise<void> {
    const { current } = this.#deps.shadow
    if (current === undefined || current.isDiscarding) await this.open()
  }

  async create(): Promise<void> {
    const scanned = await this.#post('/api/repos/scan', {})
    const { repos } = scanned.body as { repos: Repo[] }
    const input = { repoId: repos[0]!.id, extensionId: 'demo', settings: SETTINGS }
    const { status, body } = await this.#post('/api/sessions', input)
    if (status !== 201) throw new Error(`create: ${JSON.stringify(body)}`)
    this.#goTo(body as SessionSummary)
  }

  #goTo({ id, workspace }: SessionSummary): SessionCopies {
    const { shadow } = this.#deps
    const { path, branch = '' } = workspace!
    const session = new SessionCopies({ id, path, branch })
    shadow.sessions.set(id, session)
    shadow.current = session
    return session
  }

  async act(action: Action): Promise<void> {
    const { shadow } = this.#deps
    await this.requireOpen()
    const session = shadow.current!
    shadow.count(action)
    switch (action) {
      case 'create':
        return this.create()
      case 'turn':
        return this.#turn(session)
      case 'edit':
        return this.#edit(session)
      case 'undo':
        return this.#undo(session)
      case 'redo':
        return this.#redo(session)
      case 'commit':
        return this.#commit(session)
      case 'discard':
        return this.#discard(session)
      case 'fork':
        return this.#fork(session)
      default:
        return this.#merge(session, action)
    }
  }

  async #turn(session: SessionCopies): Promise<void> {
    const { address, shadow, dice } = this.#deps
    const before = session.record()
    const { status, body } = await this.#post(`${pathOf(session)}/prompt`, { text: 'slow 60' })
    if (status !== 202) throw new Error(`prompt: ${JSON.stringify(body)}`)
    const { turnId } = body as { turnId: string }
    const feed = await TestFeed.open(address, session.id, 0)
    try {
      await feed.until('turn.started', (data) => data.turnId === turnId)
      editFiles(session.path, dice, shadow)
      const after = session.record()
      session.turns.set(turnId, { before })
      await this.#endTurn(session, turnId, feed)
      session.turns.set(turnId, { before, after })
    } finally {
      feed.close()
    }
  }

  /** Resolves when the work tree after it is kept. */
  async #endTurn(session: SessionCopies, turnId: string, feed: TestFeed): Promise<void> {
    await this.#post(`${pathOf(session)}/cancel`, {})
    await feed.until('turn.ended', (data) => data.turnId === turnId)
    const file = join(this.#deps.shadow.snapshotsOf(session.id), 'checkpoints.jsonl')
    const isKept = () => readFileSync(file, 'utf8').includes(`{"turnId":"${turnId}","after":`)
    await expect.poll(isKept, { timeout: LIMIT_MS }).toBe(true)
  }

  /** A prompt that a killed hub had accepted is sent to the agent after the session is resumed. */
  async #endQueuedTurns(session: SessionCopies, lastSeq: number): Promise<void> {
    const feed = await TestFeed.open(this.#deps.address, session.id, 0)
    try {
      await feed.untilSeq(lastSeq)
      const turnsOf = (type: 'turn.queued' | 'turn.ended') =>
        feed.events.flatMap((event) => (event.type === type ? event.data.turnId : []))
      const ended = new Set(turnsOf('turn.ended'))
      for (const turnId of turnsOf('turn.queued').filter((id) => !ended.has(id))) {
        await feed.until('turn.started', (data) => data.turnId === turnId)
        await this.#endTurn(session, turnId, feed)
      }
    } finally {
      feed.close()
    }
  }

  async #edit(session: SessionCopies): Promise<void> {
    const { shadow, dice } = this.#deps
    editFiles(session.path, dice, shadow)
    session.record()
  }

  async #undo(session: SessionCopies): Promise<void> {
    const { dice, shadow } = this.#deps
    const checkpoints = await readCheckpoints(shadow.snapshotsOf(session.id))
    const kept = [...checkpoints.turns.values()].filter(({ before }) => before)
    if (kept.length === 0) return
    // An older turn is often in conflict with later ones.
    const { turnId, before } = dice.pick([...kept, ...kept.slice(-1), ...kept.slice(-1)])
    const now = session.record()
    const after = findAfter(checkpoints, turnId)
    const from = after === undefined ? now : this.#read(session, after.tree)
    const force = dice.pick([undefined, 'others', 'all'] as const)
    const step = { from, to: this.#read(session, before!.tree), now, force }
    await this.#step(session, step, { path: 'undo', body: { turnId, ...(force && { force }) } })
  }

  async #redo(session: SessionCopies): Promise<void> {
    const { dice, shadow } = this.#deps
    const checkpoints = await readCheckpoints(shadow.snapshotsOf(session.id))
    const now = session.record()
    const force = dice.pick([undefined, 'others', 'all'] as const)
    const step = this.#redoStep(session, checkpoints)
    const request = { path: 'redo', body: force ? { force } : {} }
    if (step) return this.#step(session, { ...step, now, force }, request)
    const { status } = await this.#post(`${pathOf(session)}/redo`, request.body)
    if (status !== 404) throw new Error(`there is nothing to redo, but the answer is ${status}`)
  }

  #redoStep(session: SessionCopies, { undone, turns }: Checkpoints) {
    const undo = undone.at(-1)
    const before = undo && turns.get(undo.turnId)?.before
    if (undo === undefined || before === undefined) return undefined
    const from = this.#read(session, before.tree)
    return { from, to: this.#read(session, undo.from.tree), paths: undo.paths.map(toText) }
  }

  async #step(
    session: SessionCopies,
    step: StepInput,
    { path, body }: { path: string; body: object },
  ): Promise<void> {
    const { shadow } = this.#deps
    const { changed, next } = expectStep(step)
    session.allowed = [step.now, next]
    const answer = await this.#post(`${pathOf(session)}/${path}`, body)
    const isRefused = changed.length > 0 && step.force === undefined
    if (answer.status !== (isRefused ? 409 : 200))
      return shadow.blame(`${path} answers ${answer.status} ${JSON.stringify(answer.body)}`)
    const named = isRefused
      ? ((answer.body as ErrorBody).error.details?.['paths'] as string[])
      : (answer.body as Restored).left
    const expected = isRefused || step.force === 'others' ? changed : []
    if (named.toSorted().join('\n') !== expected.toSorted().join('\n'))
      shadow.blame(`${path} names ${named.join(', ')} instead of ${expected.join(', ')}`)
    const found = session.record()
    shadow.compare(`the work tree after ${path}`, found, [next])
  }

  async #commit(session: SessionCopies): Promise<void> {
    const { shadow } = this.#deps
    const now = session.record()
    const { commit } = await this.#change(session, { action: 'commit', message: 'work' })
    shadow.compare('the work tree after a commit', session.record(), [now])
    shadow.compare('the commit', readTree(session.path, commit!), [now])
  }

  /** At times a person has changed the base, so there may be a conflict. */
  async #merge(session: SessionCopies, action: 'merge' | 'squash' | 'rebase'): Promise<void> {
    const { shadow, dice } = this.#deps
    const { repo } = shadow
    await this.#commit(session)
    if (dice.chance(0.5)) {
      // Not through a link.
      rmSync(repo.at('many/file-1.txt'), { force: true })
      repo.write('many/file-1.txt', `by a person ${dice.between(1, 3)}\n`).commit()
      shadow.base = shadow.readBase()
    }
    shadow.isMerging = true
    session.mayFollowBase = action === 'rebase'
    const { status, body } = await this.#post(`${pathOf(session)}/workspace`, { action })
    shadow.isMerging = false
    session.mayFollowBase = false
    const base = shadow.readBase()
    if (status === 200 && base !== (body as WorkspaceResult).commit)
      shadow.blame(`${action} did not move the base`)
    if (status !== 200 && base !== shadow.base) shadow.blame(`a refused ${action} moved the base`)
    if (status !== 200 && (body as ErrorBody).error.code !== 'merge_conflict')
      shadow.blame(`${action}: ${JSON.stringify(body)}`)
    shadow.base = base
    const expected = status === 200 && action === 'rebase' ? [readTree(repo.path, base)] : []
    const left = expected.length > 0 ? expected : session.allowed
    shadow.compare(`the work tree after ${action}`, session.record(), left)
  }

  async #discard(session: SessionCopies): Promise<void> {
    const { shadow } = this.#deps
    const now = session.record()
    session.isInBase = isInBase(session.path)
    session.isDiscarding = true
    const { kept } = await this.#change(session, { action: 'discard' })
    if (kept !== undefined) shadow.kept.set(kept, now)
    if ((kept === undefined) !== session.isInBase) shadow.blame(`discard keeps ${kept}`)
  }

  /** The work tree of a fork is that of the session after a turn, which goes on as it is. */
  async #fork(session: SessionCopies): Promise<void> {
    const { dice, shadow } = this.#deps
    const turns = [...session.turns].flatMap(([turnId, { after }]) =>
      after ? { turnId, after } : [],
    )
    if (turns.length === 0) return
    const { turnId, after } = dice.pick(turns)
    const now = session.record()
    const { status, body } = await this.#post(`${pathOf(session)}/fork`, { turnId })
    if (status !== 201) throw new Error(`fork: ${JSON.stringify(body)}`)
    shadow.compare('the work tree that was forked', session.record(), [now])
    shadow.compare('the work tree of a fork', this.#goTo(body as SessionSummary).record(), [after])
  }

  async #change(session: SessionCopies, body: object): Promise<WorkspaceResult> {
    const answer = await this.#post(`${pathOf(session)}/workspace`, body)
    if (answer.status !== 200)
      throw new Error(`${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`)
    return answer.body as WorkspaceResult
  }

  #read({ id, path }: SessionCopies, tree: string): FolderState {
    return readTree(path, tree, join(this.#deps.shadow.snapshotsOf(id), 'objects'))
  }

  async #post(path: string, input: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const body = JSON.stringify(input)
    const signal = AbortSignal.timeout(LIMIT_MS)
    const response = await fetch(`${this.#deps.address}${path}`, {
      method: 'POST',
      headers,
      body,
      signal,
    })
    return { status: response.status, body: await response.json() }
  }
}

function pathOf({ id }: SessionCopies): string {
  return `/api/sessions/${id}`
}

/** Its commits are in the base, and there are no other changes. */
function isInBase(path: string): boolean {
  const repo = new TestRepo(path)
  if (repo.git('status', '--porcelain').trim() !== '') return false
  return repo.git('branch', '--contains', 'HEAD', '--list', 'main').trim() !== ''
}
