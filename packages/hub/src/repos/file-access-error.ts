// Why a file was not read or written for an agent: a code for the caller and a sentence that names the agent's path.

const SENTENCES = {
  outside: 'is outside the repository',
  not_found: 'does not exist',
  not_a_file: 'is not a regular file',
  too_large: 'is too large to read',
  invalid_path: 'is not a path that can be used',
  hard_link: 'has a second name (a hard link) that may be outside the repository',
  protected: 'is protected and was not written',
  failed: 'could not be accessed',
} as const

export type FileAccessCode = keyof typeof SENTENCES

const MAX_SHOWN_CHARACTERS = 300

export class FileAccessError extends Error {
  override readonly name = 'FileAccessError'
  readonly code: FileAccessCode

  /** `reason`, when given, replaces the code's general words. */
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

/** Quoted, because a name may hold line breaks and control characters. */
function shown(path: string): string {
  const isLong = path.length > MAX_SHOWN_CHARACTERS
  return JSON.stringify(isLong ? `${path.slice(0, MAX_SHOWN_CHARACTERS)}…` : path)
}

/** What the operating system said, in our codes. Its message is not passed on: it names our descriptors. */
export function toFileAccessError(error: unknown, path: string): FileAccessError {
  if (error instanceof FileAccessError) return error
  const code = systemCode(error)
  if (code === 'ENOENT') return new FileAccessError('not_found', path, { cause: error })
  // Only a name that became a link between two looks gets this far.
  if (code === 'ELOOP') return new FileAccessError('outside', path, { cause: error })
  if (code === 'ENAMETOOLONG') return new FileAccessError('invalid_path', path, { cause: error })
  const reason = `${SENTENCES.failed} (${code ?? 'unknown error'})`
  return new FileAccessError('failed', path, { cause: error, reason })
}

export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
