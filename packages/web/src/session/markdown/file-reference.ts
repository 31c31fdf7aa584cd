// Recognises file paths in agents' answers, such as `src/a.ts:42`.

export type FileReference = { readonly path: string; readonly line?: number }

const REFERENCE =
  /^(?:\.\/)?((?:[\w@.+-]+\/)*[\w@.+-]*[\w@+-])(?::(\d{1,7})(?:[-:]\d{1,7})?|#L?(\d{1,7})(?:-L?\d{1,7})?)?$/
const ENDING = /\.[a-z][a-z0-9]{0,9}$/i

/** Undefined unless the text has a folder and an extension, or an extension and a line number. */
export function readFileReference(
  text: string,
  root: string | undefined,
): FileReference | undefined {
  const inside =
    root !== undefined && text.startsWith(`${root}/`) ? text.slice(root.length + 1) : text
  const found = REFERENCE.exec(inside)
  const path = found?.[1]
  if (found === null || path === undefined || !ENDING.test(path)) return undefined
  if (path.split('/').includes('..')) return undefined
  const line = Number(found[2] ?? found[3] ?? 0)
  if (!path.includes('/') && line === 0) return undefined
  return line > 0 ? { path, line } : { path }
}
