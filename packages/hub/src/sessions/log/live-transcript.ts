// The in-memory state of a session that its projection keeps: the running turn folded, and finished items shortened.
import {
  applyEvent,
  emptyTranscript,
  findItem,
  forgetContent,
  forgetFinished,
  type Item,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import { shorten } from './long-texts.js'

/** Finished items of a running turn that are kept whole: agents may update a tool call that has ended, but soon. */
const MAX_FINISHED = 32

/** However long a turn is, only open items and those that finished last have their whole content. */
export type LiveTranscript = {
  readonly transcript: Transcript
  /** Items that have a row. */
  readonly rows: Set<string>
  /** Items that finished last. */
  readonly finished: Set<string>
  /** Items that the current batch changed. */
  readonly changed: Set<string>
}

export function emptyLiveTranscript(): LiveTranscript {
  return {
    transcript: emptyTranscript(),
    rows: new Set(),
    finished: new Set(),
    changed: new Set(),
  }
}

/** Folds an event whose rows are stored already. */
export function foldPast(live: LiveTranscript, past: SessionEvent): void {
  if (past.type === 'turn.started') forgetPast(live)
  for (const itemId of foldShort(live.transcript, past)) {
    live.rows.add(itemId)
    const item = findItem(live.transcript, itemId)
    if (item !== undefined) keepFinished(live, item)
  }
}

/** Returns the ids of the items that changed. */
export function foldShort(transcript: Transcript, event: SessionEvent): readonly string[] {
  const changed = applyEvent(transcript, event)
  for (const itemId of changed) {
    const position = transcript.index.get(itemId)
    const item = position === undefined ? undefined : transcript.items[position]
    if (position !== undefined && item !== undefined) transcript.items[position] = shorten(item)
  }
  return changed
}

/** Drops finished items: their rows are final, and a late update does not change them. */
export function forgetPast({ transcript, rows, finished }: LiveTranscript): void {
  forgetFinished(transcript)
  finished.clear()
  for (const itemId of rows) if (!transcript.index.has(itemId)) rows.delete(itemId)
}

/** Evicts the oldest finished item; its row is final and never rewritten. */
export function keepFinished(
  { transcript, rows, finished }: LiveTranscript,
  { id, type, done }: Item,
): void {
  // A prompt counts as done while it waits, and changes when its turn begins.
  if (!done || type === 'user') return
  finished.delete(id)
  finished.add(id)
  for (const oldest of finished) {
    if (finished.size <= MAX_FINISHED) return
    finished.delete(oldest)
    // Outside of a turn a text counts as done and may still grow.
    if (oldest === transcript.run?.itemId) continue
    forgetContent(transcript, oldest)
    rows.delete(oldest)
  }
}
