// The error of a file access for an agent: a code for the caller, and a sentence with the agent's path.

const SENTENCES = {
  outside: 'is outside the repository',
  not_found: 'does not exist',
  not_a_file: 'is not a regular file',
  too_large: 'is too large to read',
  invalid_path: 'is not a valid path',
  hard_link: 'has a second name (a hard link) that may be outside the repository',
  protected: 'is protected and was not written',
  failed: 'could not be accessed',
} as const

export type FileAccessCode = keyof typeof SENTENCES

const MAX_SHOWN_CHARACTERS = 300

export class FileAccessError extends Error {
  override readonly name = 'FileAccessError'
  readonly code: FileAccessCode

  /** `reason` replaces the general sentence of the code. */
  constructor(
    code: FileAccessCode,
    path: string,
    options: ErrorOptions & { reason?: string } = {},
  ) {
    const { reason = SENTENCES[code], ...rest } = options
    super(`${shown(path)} ${reason}.`, rest)
    this.code = code
  }
}

/** Quoted, because a name may contain line breaks and control characters. */
function shown(path: string): string {
  const isLong = path.length > MAX_SHOWN_CHARACTERS
  return JSON.stringify(isLong ? `${path.slice(0, MAX_SHOWN_CHARACTERS)}…` : path)
}

/** Maps an error of the operating system to a code. Drops its message, which names the hub's descriptors. */
export function toFileAccessError(error: unknown, path: string): FileAccessError {
  if (error instanceof FileAccessError) return error
  const code = systemCode(error)
  if (code === 'ENOENT') return new FileAccessError('not_found', path, { cause: error })
  // The name became a link after it was checked.
  if (code === 'ELOOP') return new FileAccessError('outside', path, { cause: error })
  if (code === 'ENAMETOOLONG') return new FileAccessError('invalid_path', path, { cause: error })
  const reason = `${SENTENCES.failed} (${code ?? 'unknown error'})`
  return new FileAccessError('failed', path, { cause: error, reason })
}

export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
