// Compares the work trees, snapshots and repository of a restarted hub with the copies of the harness.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionList } from '@quayside/protocol'
import { expect } from 'vitest'
import { readCheckpoints } from '../../../src/sessions/changes/checkpoints.js'
import { messageOfError } from '../../../src/errors.js'
import { TOKEN } from '../../test-hub.js'
import { type FolderState, readFolder, readTree } from './folder-state.js'
import type { SessionCopies, WorkspaceShadow } from './workspace-shadow.js'

/** For a git that outlived its hub, and for the work that a hub does right after its start. */
const SETTLE_MS = 20_000

export async function auditWorkspaces(shadow: WorkspaceShadow, address: string): Promise<void> {
  const leftovers = async () => [
    ...findLocks(shadow.repo.at('.git')),
    ...(await findStrays(shadow, address)),
  ]
  await expect
    .poll(leftovers, { timeout: SETTLE_MS })
    .toEqual([])
    .catch(async () => shadow.blame(`left: ${(await leftovers()).join(', ')}`))
  for (const session of shadow.sessions.values())
    await auditSession(shadow, session).catch((error: unknown) =>
      shadow.blame(`session ${session.id}: ${messageOfError(error)}`),
    )
  for (const [reference, copy] of shadow.kept) auditKept(shadow, reference, copy)
  shadow.compareOutside()
  auditRepository(shadow)
}

async function auditSession(shadow: WorkspaceShadow, session: SessionCopies): Promise<void> {
  const { id, path, states, turns, allowed } = session
  if (session.isDiscarding) auditDiscarded(shadow, session)
  else {
    const found = readFolder(path)
    const moved = session.mayFollowBase ? [readTree(shadow.repo.path, 'main')] : []
    shadow.compare(`the work tree of ${id}`, found, [...allowed, ...moved])
    session.mayFollowBase = false
    const unfinished = [...found.keys()].filter((name) => name.includes('.quayside-unfinished-'))
    if (unfinished.length > 0) shadow.blame(`unfinished: ${unfinished.join(', ')}`)
    session.record()
  }
  const snapshots = shadow.snapshotsOf(id)
  const checkpoints = await readCheckpoints(snapshots)
  const read = (tree: string) => readTree(shadow.repo.path, tree, join(snapshots, 'objects'))
  const compare = (what: string, tree: string, copy?: FolderState) =>
    shadow.compare(`${what} in ${id}`, read(tree), copy ? [copy] : states)
  for (const { turnId, before, after } of checkpoints.turns.values()) {
    const copies = turns.get(turnId)
    if (before) compare(`before turn ${turnId}`, before.tree, copies?.before)
    else if (copies) shadow.blame(`the state before turn ${turnId} is lost`)
    if (after) compare(`after turn ${turnId}`, after.tree, copies?.after)
    else if (copies?.after) shadow.blame(`the state after turn ${turnId} is lost`)
  }
  for (const { undoId, from } of checkpoints.undone) compare(`before undo ${undoId}`, from.tree)
}

/** The work tree is whole, or gone with its state kept. */
function auditDiscarded(shadow: WorkspaceShadow, session: SessionCopies): void {
  const { id, path, allowed, isInBase } = session
  if (existsSync(path)) {
    shadow.compare(`the work tree of ${id}`, readFolder(path), allowed)
    session.isDiscarding = false
    return
  }
  // Its name is free for the branch of a later session.
  const isReused = [...shadow.sessions.values()].some(
    (other) => other !== session && other.branch === session.branch,
  )
  if (!isReused && shadow.repo.git('for-each-ref', `refs/heads/${session.branch}`) !== '')
    shadow.blame(`the branch of the discarded session ${id} is left`)
  const reference = `refs/quayside/kept/${id}`
  if (!isInBase) shadow.kept.set(reference, allowed[0]!)
}

function auditKept(shadow: WorkspaceShadow, reference: string, copy: FolderState): void {
  try {
    shadow.compare(reference, readTree(shadow.repo.path, reference), [copy])
  } catch (error) {
    shadow.blame(`${reference}: ${messageOfError(error)}`)
  }
}

function auditRepository(shadow: WorkspaceShadow): void {
  const { repo } = shadow
  const status = repo.git('status', '--porcelain').trim()
  if (status !== '') shadow.blame(`the repository's own work tree has changes: ${status}`)
  const base = shadow.readBase()
  const isMoved = base !== shadow.base
  const earlier = repo.git('rev-list', '--first-parent', 'main').split('\n')
  if (isMoved && !(shadow.isMerging && earlier.includes(shadow.base)))
    shadow.blame(`the base is ${base} instead of ${shadow.base}`)
  shadow.base = base
  shadow.isMerging = false
  try {
    repo.git('fsck', '--strict', '--no-dangling')
  } catch (error) {
    shadow.blame(`git fsck: ${messageOfError(error)}`)
  }
}

function findLocks(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.lock'),
  )
}

/** Journals of undo, work trees without a session, and records of git about work trees that are gone. */
async function findStrays(shadow: WorkspaceShadow, address: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const response = await fetch(`${address}/api/sessions?limit=100`, { headers })
  const { sessions } = (await response.json()) as SessionList
  const known = new Set(sessions.map(({ id }) => id))
  const folders = readdirSync(join(shadow.dataDir, 'worktrees'))
  const strays = folders.filter((id) => !known.has(id))
  const halves = folders.flatMap((id) =>
    readdirSync(join(shadow.dataDir, 'worktrees', id)).filter((name) => name !== 'shop'),
  )
  const records = shadow.repo.git('worktree', 'list', '--porcelain').match(/^prunable.*/gm) ?? []
  return [...readdirSync(join(shadow.dataDir, 'undo')), ...strays, ...halves, ...records]
}
