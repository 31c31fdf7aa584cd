// The end of a program's stderr as text for people.
import { stripVTControlCharacters } from 'node:util'

/** Without colours, and beginning at a line. A last line that is longer than the limit is cut and marked. */
export function stderrTail(text: string, maxChars: number): string {
  const plain = stripVTControlCharacters(text).trimEnd()
  if (plain.length <= maxChars) return plain
  const end = plain.slice(-maxChars)
  const firstLine = end.indexOf('\n')
  return firstLine === -1 ? `…${end}` : end.slice(firstLine + 1)
}
