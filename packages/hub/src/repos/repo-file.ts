// One file of a repository for a person to look at: text, a picture, or only how large it is.
import type { RepoFile } from '@quayside/protocol'
import { ConfinedFiles } from './confined-files.js'
import { FileAccessError } from './file-access-error.js'

const MAX_TEXT_BYTES = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** As far as git looks for the byte that no text has. */
const BINARY_HEAD_BYTES = 8000

/** By their first bytes. Never SVG: it is shown as the text it is. */
const IMAGES: readonly (readonly [mimeType: string, at: number, magic: string])[] = [
  ['image/png', 0, '\u0089PNG\r\n\u001A\n'],
  ['image/jpeg', 0, '\u00FF\u00D8\u00FF'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
]

/** `path` is relative to the repository. Throws a `FileAccessError` when it leads out of it or to no file. */
export async function readRepoFile(repoPath: string, path: string): Promise<RepoFile> {
  if (path.startsWith('/'))
    throw new FileAccessError('invalid_path', path, { reason: 'is not relative to the repository' })
  const files = new ConfinedFiles(repoPath)
  // Not normalised: what `..` means after a link is decided by the walk.
  const absolute = `${repoPath}/${path}`
  const { byteLength, bytes } = await files.readBytes(absolute, MAX_IMAGE_BYTES)
  const about = { path, byteLength }
  if (bytes === undefined) return { ...about, kind: 'large' }
  const head = bytes.toString('latin1', 0, BINARY_HEAD_BYTES)
  const mimeType = IMAGES.find(([, at, magic]) => head.startsWith(magic, at))?.[0]
  if (mimeType !== undefined)
    return { ...about, kind: 'image', mimeType, base64: bytes.toString('base64') }
  if (head.includes('\0')) return { ...about, kind: 'binary' }
  if (byteLength > MAX_TEXT_BYTES) return { ...about, kind: 'large' }
  return { ...about, kind: 'text', text: bytes.toString('utf8') }
}
