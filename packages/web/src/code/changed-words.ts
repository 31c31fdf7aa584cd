// The words that differ between a line and the line it replaces.
import { diffWordsWithSpace } from 'diff'

export type LinePart = { readonly text: string; readonly isChanged: boolean }
export type ComparedWords = {
  readonly before: readonly LinePart[]
  readonly after: readonly LinePart[]
}

/** In a review, longer lines are not compared. */
const MAX_CHARACTERS = 500
/** In a review, a line of which a larger share changed is not marked: the marks would only be noise. */
const MAX_CHANGED = 0.7

export function compareWords(before: string, after: string): ComparedWords {
  const changes = diffWordsWithSpace(before, after)
  const without = (other: 'added' | 'removed') =>
    changes
      .filter((change) => !change[other])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }))
  return { before: without('added'), after: without('removed') }
}

/** The parts of a line in a review; `other` is the line it is shown against. */
export function changedWords(text: string, other: string): readonly LinePart[] {
  const whole = [{ text, isChanged: false }]
  if (text.length > MAX_CHARACTERS || other.length > MAX_CHARACTERS) return whole
  const parts = compareWords(other, text).after
  const changed = parts.reduce((sum, part) => sum + (part.isChanged ? part.text.length : 0), 0)
  return changed > text.length * MAX_CHANGED ? whole : parts
}
