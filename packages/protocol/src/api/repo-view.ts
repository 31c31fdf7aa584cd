// What looking into a repository tells: its files, where it stands, what changed, and what is in one file.

export type RepoFiles = {
  /** Paths inside the repository, the best match first. */
  readonly files: readonly string[]
  /** Of how many files. */
  readonly total: number
}

export type RepoStatus = {
  /** `ahead` and `behind` are counted against what was fetched last; nothing is asked over the network. */
  readonly branch: {
    readonly name?: string
    readonly commit?: string
    readonly upstream?: string
    readonly ahead?: number
    readonly behind?: number
  }
  readonly files: readonly {
    readonly path: string
    readonly oldPath?: string
    /** git's letters: HEAD against index, and index against file. `.` is the same, `?` untracked, `U` a conflict. */
    readonly staged: string
    readonly unstaged: string
  }[]
  readonly counts: {
    readonly staged: number
    readonly unstaged: number
    readonly untracked: number
    readonly conflicted: number
  }
  readonly isTruncated: boolean
}

export type FileChange = {
  readonly path: string
  /** Where a renamed file was. */
  readonly oldPath?: string
  readonly status: 'A' | 'M' | 'D' | 'R'
  /** `large` files are told by size and time alone. */
  readonly kind: 'text' | 'binary' | 'large' | 'submodule'
  /** Names what is in it now: the same name, the same content. Absent for `large` files. */
  readonly blob?: string
  /** Lines; only for text. */
  readonly added?: number
  readonly removed?: number
  /** Unified; absent when it was not asked for or is too long. */
  readonly patch?: string
}

export type RepoDiff = {
  readonly files: readonly FileChange[]
  /** How many files differ, also when not all are listed. */
  readonly total: number
  readonly added: number
  readonly removed: number
  readonly isTruncated: boolean
}

/** `gone`: the work tree at the beginning of the session was not kept. */
export type SessionChanges =
  | ({ readonly is: 'known' } & RepoDiff)
  /** `none`: of the latest turn, before there is one. */
  | { readonly is: 'gone' | 'none' }

/** One file as it is now. `large` and `binary` ones are told by their size alone. */
export type RepoFile = { readonly path: string; readonly byteLength: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly base64: string }
  | { readonly kind: 'binary' | 'large' }
)
