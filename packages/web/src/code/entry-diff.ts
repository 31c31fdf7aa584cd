// The diff of an edit in a tool call: made here from whole texts, or made by the hub when they are too long for an event.
import { readCut, readStoredDiff, unifiedDiff, type DiffContent } from '@quayside/protocol'

export type LineCount = { readonly added: number; readonly removed: number }
/** A text of the page, or media of the hub. */
export type WholeText = { readonly text: string } | { readonly media: string }

export type EntryDiff = {
  /** Unknown for an edit that an earlier version of the hub truncated. */
  readonly counts?: LineCount
  /** The hunks, or their address. Without both, there are more lines than people can view. */
  readonly patch?: WholeText | undefined
  readonly oldText?: WholeText | undefined
  readonly newText?: WholeText | undefined
}

const known = new WeakMap<DiffContent, EntryDiff>()

export function diffOf(entry: DiffContent): EntryDiff {
  const diff = known.get(entry) ?? makeDiff(entry)
  known.set(entry, diff)
  return diff
}

export function countLines(entries: readonly DiffContent[]): LineCount {
  const counts = entries.map((entry) => diffOf(entry).counts)
  return {
    added: counts.reduce((sum, count) => sum + (count?.added ?? 0), 0),
    removed: counts.reduce((sum, count) => sum + (count?.removed ?? 0), 0),
  }
}

/** Truncated texts are never compared: the result would be a diff of two beginnings. */
function makeDiff(entry: DiffContent): EntryDiff {
  const stored = readStoredDiff(entry)
  if (stored) {
    const { added, removed, patch, patchMedia, oldMedia, newMedia } = stored
    return {
      counts: { added, removed },
      patch: patch === undefined ? mediaAt(patchMedia) : { text: patch },
      oldText: mediaAt(oldMedia),
      newText: mediaAt(newMedia),
    }
  }
  const { oldText: before, newText: after } = entry
  const texts = { oldText: wholeText(before ?? ''), newText: wholeText(after) }
  if (readCut(before ?? '') || readCut(after)) return texts
  const { patch, ...counts } = unifiedDiff(before ?? '', after)
  return { counts, patch: patch === undefined ? undefined : { text: patch }, ...texts }
}

function mediaAt(media: string | undefined): WholeText | undefined {
  return media === undefined ? undefined : { media }
}

function wholeText(text: string): WholeText | undefined {
  const cut = readCut(text)
  if (cut) return { media: cut.media }
  return text === '' ? undefined : { text }
}
