// Errors of the operating system that say nothing about the file or program they were met at: the machine lacks something.

const OUT_OF_DESCRIPTORS = new Set(['EMFILE', 'ENFILE'])
/** The last one is PostgreSQL's. */
const OUT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT', '53100'])

export type Shortage = 'descriptors' | 'space'

/** `error` and `suppressed`: a disposal failed too, as `await using` reports it. */
type Failure = NodeJS.ErrnoException & { readonly error?: unknown; readonly suppressed?: unknown }

/** The shortage behind an error, by its code or those of the errors in it. */
export function findShortage(failure: unknown): Shortage | undefined {
  if (!(failure instanceof Error)) return undefined
  const { code = '', cause, error, suppressed } = failure as Failure
  if (OUT_OF_DESCRIPTORS.has(code)) return 'descriptors'
  if (OUT_OF_SPACE.has(code)) return 'space'
  return findShortage(error) ?? findShortage(suppressed) ?? findShortage(cause)
}

/** For `catch`: undefined for a file that cannot be read. Throws when the machine lacks something, because then the file may well be readable. */
export function undefinedIfUnreadable(error: unknown): undefined {
  if (findShortage(error) !== undefined) throw error
  return undefined
}
