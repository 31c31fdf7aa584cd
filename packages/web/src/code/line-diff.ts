// Marks the words that differ between a changed line and the line it replaces. Loaded when the first change is shown.
import { compareWords, type LinePart } from './changed-words.js'
import type { PatchLine } from './patch-rows.js'

const MAX_LINE_CHARS = 1_000

export function partsOf({ sign, text, other }: PatchLine): readonly LinePart[] {
  const whole = [{ text, isChanged: false }]
  if (other === undefined || Math.max(text.length, other.length) > MAX_LINE_CHARS) return whole
  const [before, after] = sign === '-' ? [text, other] : [other, text]
  const words = compareWords(before, after)
  // Lines that share no word are unrelated, and not marked.
  const isSimilar = words.after.some(({ text, isChanged }) => !isChanged && text.trim() !== '')
  if (!isSimilar) return whole
  return sign === '-' ? words.before : words.after
}
