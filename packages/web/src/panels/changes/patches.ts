// The patches of changed files: loaded one file at a time when it becomes visible, and kept while its content is the
// same.
import type { AgentChatClient, FileChange } from '@quayside/client'
import { preferences } from '../../shared/preferences.js'
import { problemOf } from '../../shared/problem.js'
import { Store } from '../../shared/store.js'
import { strings } from '../../strings/strings.js'
import { shown } from '../../shared/controls/path-text.js'
import { colourLines, type Colours } from './line-colours.js'
import { patchRows, type PatchRow } from '../../code/patch-rows.js'
import type { Patch } from './review-rows.js'

const words = strings.panels

export type Scope = 'turn' | 'session' | 'tree'

/** A larger patch is drawn only on request. */
const LARGE_CHARACTERS = 150_000

/** The patch of one file. */
type Read = {
  /** The loaded version; another version is loaded again. */
  readonly version: string
  readonly patch: Patch
  readonly colours?: Colours | undefined
  /** The whole file, for the lines that git omits. */
  readonly lines?: readonly string[] | undefined
}
export type Reads = ReadonlyMap<string, Read>

type PatchesOptions = {
  readonly client: AgentChatClient
  readonly sessionId: string
  readonly repoId: string
  readonly scope: Scope
}

/** The patches of one session and scope. */
export class Patches {
  readonly reads = new Store<Reads>(new Map())
  readonly #options: PatchesOptions
  readonly #running = new Map<string, AbortController>()

  constructor(options: PatchesOptions) {
    this.#options = options
  }

  /** With `isWhole`, a large patch is loaded as well. */
  load(file: FileChange, isWhole = false): void {
    const { path } = file
    const version = versionOf(file)
    this.#running.get(path)?.abort()
    const abort = new AbortController()
    this.#running.set(path, abort)
    const settle = (patch: Patch) => {
      if (abort.signal.aborted) return
      this.#set(path, { version, patch })
      if (patch.is === 'known') void this.#colour(path, patch.rows)
    }
    this.#set(path, { version, patch: { is: 'loading' } })
    this.#read(file, abort.signal).then(
      (found) => settle(patchOf(found, isWhole)),
      (error: unknown) => settle({ is: 'none', text: problemOf(error), canRetry: true }),
    )
  }

  /** Cancels loading until the person asks again. */
  cancel(file: FileChange): void {
    this.#running.get(file.path)?.abort()
    const patch = { is: 'none', text: strings.review.notLoaded, canRetry: true } as const
    this.#set(file.path, { version: versionOf(file), patch })
  }

  /** Loads the omitted lines. Resolves with false when the file has changed, because its lines would not match. */
  async loadLines(path: string): Promise<boolean> {
    const { client, sessionId, repoId } = this.#options
    const file = await client.http
      .call('GET /api/repos/{repoId}/file', { repoId, sessionId, path })
      .catch(() => undefined)
    const read = this.reads.get().get(path)
    if (file?.kind !== 'text' || read?.patch.is !== 'known') return false
    const lines = file.text.replace(/\n$/, '').split('\n')
    if (!areOf(read.patch.rows, lines)) return false
    this.#set(path, { ...read, lines })
    return true
  }

  close(): void {
    for (const abort of this.#running.values()) abort.abort()
  }

  async #read(file: FileChange, signal: AbortSignal): Promise<FileChange | undefined> {
    const { client, sessionId, repoId, scope } = this.#options
    const { path, oldPath } = file
    // With one path, git would not detect the rename.
    const query = oldPath === undefined ? { path } : {}
    const diff =
      scope === 'tree'
        ? await client.repos.diff(repoId, { sessionId, ...query }, { signal })
        : await client.sessions.changes(sessionId, { since: scope, ...query }, { signal })
    return 'files' in diff ? diff.files.find((found) => found.path === path) : undefined
  }

  async #colour(path: string, rows: readonly PatchRow[]): Promise<void> {
    if (!preferences().syntaxHighlighting) return
    const colours = await colourLines(path, rows)
    const read = this.reads.get().get(path)
    if (read?.patch.is === 'known' && read.patch.rows === rows)
      this.#set(path, { ...read, colours })
  }

  #set(path: string, read: Read): void {
    this.reads.set(new Map([...this.reads.get(), [path, read]]))
  }
}

/** The patch of this version of the file, if loaded. */
export function readOf(reads: Reads, file: FileChange): Read | undefined {
  const read = reads.get(file.path)
  return read?.version === versionOf(file) ? read : undefined
}

function versionOf({ blob = '', oldPath = '', added, removed }: FileChange): string {
  return JSON.stringify([blob, oldPath, added, removed])
}

function patchOf(file: FileChange | undefined, isWhole: boolean): Patch {
  const none = (text: string): Patch => ({ is: 'none', text, canRetry: false })
  if (file === undefined) return none(words.sameNow)
  const { kind, patch, oldPath } = file
  if (kind !== 'text') return none(words[kind])
  if (patch === undefined) return none(words.tooLong)
  if (patch.length > LARGE_CHARACTERS && !isWhole) return { is: 'large', characters: patch.length }
  const rows = patchRows(patch)
  if (rows.length > 0) return { is: 'known', rows }
  return none(oldPath === undefined ? words.emptyFile : words.renamedFrom(shown(oldPath)))
}

function areOf(rows: readonly PatchRow[], lines: readonly string[]): boolean {
  return rows.every(
    (row) => row.is !== 'line' || row.sign === '-' || lines[row.number - 1] === row.text,
  )
}
