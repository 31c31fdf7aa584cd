// Detects the kind of a file by its first bytes: picture, binary or text.

/** git searches this many bytes for a NUL. */
const HEAD_BYTES = 8000

/** Without SVG, which is shown as text. */
const PICTURES: readonly (readonly [mimeType: string, at: number, magic: string])[] = [
  ['image/png', 0, '\u0089PNG\r\n\u001A\n'],
  ['image/jpeg', 0, '\u00FF\u00D8\u00FF'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
]

export type FileKind =
  | { readonly is: 'picture'; readonly mimeType: string }
  | { readonly is: 'binary' }
  | { readonly is: 'text' }

export function fileKindOf(bytes: Buffer): FileKind {
  const head = bytes.toString('latin1', 0, HEAD_BYTES)
  const mimeType = PICTURES.find(([, at, magic]) => head.startsWith(magic, at))?.[0]
  if (mimeType !== undefined) return { is: 'picture', mimeType }
  return { is: head.includes('\0') ? 'binary' : 'text' }
}
