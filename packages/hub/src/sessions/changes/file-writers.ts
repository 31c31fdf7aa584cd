// Finds the sessions that wrote the changed files of a shared work tree, by the tool calls of the repository's sessions since a time.
// The call of a command names no files, so a file that a command wrote is assigned to no other session.
import { relative } from 'node:path'
import {
  type FileChange,
  type MessageContent,
  newToolCall,
  type SessionChanges,
  type ToolCallContent,
} from '@quayside/protocol'
import type { ScannedEdit, SessionStore, SummaryRow } from '../../store/session-store.js'
import { yieldLoop } from '../../yield-loop.js'
import { factsOf } from '../decisions/call-facts.js'
import { readWorkspace } from '../log/session-summary.js'

/** Other work runs after this much of reading. */
const SLICE_MS = 4
/** A file whose writer is not found until then counts as the session's own. */
const DEADLINE_MS = 500
const MAX_SESSIONS = 50

export type Writer = { readonly sessionId: string; readonly title: string | null }

export type WritersRequest = {
  readonly id: string
  readonly repository: string
  /** Earlier calls do not count, in ms since 1970. */
  readonly since: number
}

export type Writers = {
  /** The time of the last call of the session itself, by the path relative to the repository. */
  readonly own: ReadonlyMap<string, number>
  /** Files that another session wrote last, and the session itself did not. */
  readonly others: ReadonlyMap<string, Writer>
}

export async function findWriters(
  store: SessionStore,
  { id, repository, since }: WritersRequest,
): Promise<Writers> {
  const reading = { store, repository, since, deadline: performance.now() + DEADLINE_MS }
  const others = await othersOf(store, id, since)
  if (others.length === 0) return { own: new Map(), others: new Map() }
  const own = await writtenBy(id, reading)
  const last = new Map<string, { readonly at: number; readonly writer: Writer }>()
  for (const { id: sessionId, title } of others)
    for (const [path, at] of await writtenBy(sessionId, reading))
      if (!own.has(path) && at > (last.get(path)?.at ?? 0))
        last.set(path, { at, writer: { sessionId, title } })
  return { own, others: new Map([...last].map(([path, { writer }]) => [path, writer])) }
}

/** The sessions of the same repository with events since then: active ones, and the newest of the others. */
export async function othersOf(
  store: SessionStore,
  id: string,
  since: number,
): Promise<readonly SummaryRow[]> {
  const row = await store.findSummary(id)
  if (row === undefined || hasOwnWorktree(row)) return []
  const { repoId } = row
  const filter = { scope: { repoId }, archived: [false, true] }
  const page = { limit: MAX_SESSIONS, offset: 0 }
  const active = await store.page({ ...page, filter: { ...filter, statuses: ['active'] } })
  const newest = await store.page({ ...page, filter: { ...filter, statuses: undefined } })
  const all = new Map([...active, ...newest].map((row) => [row.id, row]))
  return [...all.values()].filter(
    (other) => other.id !== id && other.updatedAt > since && !hasOwnWorktree(other),
  )
}

function hasOwnWorktree(row: SummaryRow): boolean {
  return readWorkspace(row)?.kind === 'worktree'
}

type Reading = Omit<WritersRequest, 'id'> & {
  readonly store: SessionStore
  readonly deadline: number
}

async function writtenBy(sessionId: string, reading: Reading): Promise<Writers['own']> {
  const written = new Map<string, number>()
  let before: number | undefined = Number.MAX_SAFE_INTEGER
  while (before !== undefined && performance.now() < reading.deadline) {
    before = addSlice(written, await reading.store.scanEdits(sessionId, before), reading)
    await yieldLoop()
  }
  return written
}

/** Returns the event before which the next slice continues. Messages of one event stay in one slice. */
function addSlice(
  written: Map<string, number>,
  rows: Iterable<ScannedEdit>,
  { repository, since }: Reading,
): number | undefined {
  const end = performance.now() + SLICE_MS
  let before: number | undefined
  for (const { seq, at, content } of rows) {
    if (at <= since) return undefined
    if (before !== undefined && seq < before && performance.now() > end) return before
    before = seq
    const paths = content === null ? [] : pathsIn(content, repository)
    for (const path of paths) written.set(path, Math.max(at, written.get(path) ?? 0))
  }
  return undefined
}

/** The files that a stored tool call names, relative to the repository. */
function pathsIn(json: string, repository: string): string[] {
  const content = JSON.parse(json) as MessageContent
  if (content.type !== 'tool' || content.status === 'failed') return []
  const { toolCallId, title, kind, args, result } = content
  const parts = Array.isArray(result) ? (result as readonly ToolCallContent[]) : []
  const call = newToolCall({ toolCallId, title, kind, content: parts, rawInput: args })
  return factsOf({ call, isWhole: true }, repository)
    .paths.filter(({ isOutside }) => !isOutside)
    .map(({ absolute }) => relative(repository, absolute))
}

export type KnownChanges = Extract<SessionChanges, { is: 'known' }>

/** Files that have changed in the same way since both snapshots: they were the same in both. */
export function sameIn({ files }: KnownChanges, others: SessionChanges): string[] {
  const key = ({ path, status, added, removed }: FileChange) =>
    JSON.stringify([path, status, added, removed])
  const theirs = new Set(others.is === 'known' ? others.files.map(key) : [])
  return files.filter((file) => theirs.has(key(file))).map(({ path }) => path)
}

/** Files of another session are marked, and not counted. */
export function withWriters(
  changes: KnownChanges,
  writers: ReadonlyMap<string, Writer>,
): KnownChanges {
  const files = changes.files.map((file) => {
    const by = writers.get(file.path) ?? writers.get(file.oldPath ?? file.path)
    return by ? { ...file, by } : file
  })
  const others = files.filter((file) => 'by' in file)
  const sum = (field: 'added' | 'removed') =>
    others.reduce((total, file) => total + (file[field] ?? 0), 0)
  const { total, added, removed } = changes
  const counts = {
    total: total - others.length,
    added: added - sum('added'),
    removed: removed - sum('removed'),
  }
  return { ...changes, ...counts, files }
}
