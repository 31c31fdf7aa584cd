// Which words of a line differ from the line it stands against.
import { diffWordsWithSpace } from 'diff'

export type LinePart = { readonly text: string; readonly isChanged: boolean }

/** Longer lines are not worth the time, whatever an agent writes. */
const MAX_CHARACTERS = 500
/** When more than this is different, marks would only be noise. */
const MAX_CHANGED = 0.7

export function changedWords(text: string, other: string): readonly LinePart[] {
  const whole = [{ text, isChanged: false }]
  if (text.length > MAX_CHARACTERS || other.length > MAX_CHARACTERS) return whole
  const parts = diffWordsWithSpace(other, text)
    .filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ text: value, isChanged: added }))
  const changed = parts.reduce((sum, part) => sum + (part.isChanged ? part.text.length : 0), 0)
  return changed > text.length * MAX_CHANGED ? whole : parts
}
