// One file of a repository for a person to look at: text, a picture, or only how large it is.
import type { RepoFile } from '@quayside/protocol'
import { ConfinedFiles } from './confined-files.js'
import { FileAccessError } from './file-access-error.js'
import { fileKindOf } from './file-kind.js'

const MAX_TEXT_BYTES = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * 1024 * 1024

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
  const kind = fileKindOf(bytes)
  if (kind.is === 'picture')
    return { ...about, kind: 'image', mimeType: kind.mimeType, base64: bytes.toString('base64') }
  if (kind.is === 'binary') return { ...about, kind: 'binary' }
  if (byteLength > MAX_TEXT_BYTES) return { ...about, kind: 'large' }
  return { ...about, kind: 'text', text: bytes.toString('utf8') }
}
