// Errors of the operating system that say nothing about the file or program they were met at: the machine lacks something.

const OUT_OF_DESCRIPTORS = new Set(['EMFILE', 'ENFILE'])
const OUT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT'])

export type Shortage = 'descriptors' | 'space'

/** The shortage behind an error, by its code or those of its causes. */
export function findShortage(error: unknown): Shortage | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code !== 'string') continue
    if (OUT_OF_DESCRIPTORS.has(code)) return 'descriptors'
    if (OUT_OF_SPACE.has(code)) return 'space'
  }
  return undefined
}

/** For `catch`: undefined for a file that cannot be read. Throws when the machine lacks something, because then the file may well be readable. */
export function undefinedIfUnreadable(error: unknown): undefined {
  if (findShortage(error) !== undefined) throw error
  return undefined
}
