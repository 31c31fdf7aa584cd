// Reads one file of a repository for a person: text, a picture, or only its size.
import type { RepoFile } from '@quayside/protocol'
import { ConfinedFiles } from './confined-files.js'
import { FileAccessError } from './file-access-error.js'
import { fileKindOf } from './file-kind.js'

const MAX_TEXT_BYTES = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** `path` is relative to the repository. Throws a `FileAccessError` when it is outside, or not a file. */
export async function readRepoFile(repoPath: string, path: string): Promise<RepoFile> {
  if (path.startsWith('/'))
    throw new FileAccessError('invalid_path', path, { reason: 'is not relative to the repository' })
  const files = new ConfinedFiles(repoPath)
  // Not normalised, because the walk resolves `..` after a link.
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
