// The live end of a session as its projection keeps it in memory: its running turn folded, and what is finished only in short.
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

/** Finished items of a running turn that are kept as they are: agents say more of a tool call that has ended, but soon. */
const MAX_FINISHED = 32

/** However long a turn is, only what is open and what has just finished is there with all it says. */
export type Live = {
  readonly transcript: Transcript
  /** Items that have a row. */
  readonly rows: Set<string>
  /** Items that finished last. */
  readonly finished: Set<string>
  /** What this batch changed and added. */
  readonly changed: Set<string>
  added: { turns: number; messages: number }
}

export const NOTHING = { turns: 0, messages: 0 } as const

export function emptyLive(): Live {
  return {
    transcript: emptyTranscript(),
    rows: new Set(),
    finished: new Set(),
    changed: new Set(),
    added: { ...NOTHING },
  }
}

/** What has its rows already. */
export function foldPast(live: Live, past: SessionEvent): void {
  if (past.type === 'turn.started') forgetPast(live)
  for (const itemId of foldShort(live.transcript, past)) {
    live.rows.add(itemId)
    const item = findItem(live.transcript, itemId)
    if (item !== undefined) keepFinished(live, item)
  }
}

/** The ids of what changed. */
export function foldShort(transcript: Transcript, event: SessionEvent): readonly string[] {
  const changed = applyEvent(transcript, event)
  for (const itemId of changed) {
    const position = transcript.index.get(itemId)
    const item = position === undefined ? undefined : transcript.items[position]
    if (position !== undefined && item !== undefined) transcript.items[position] = shorten(item)
  }
  return changed
}

/** What is finished stays in its rows; a late word about it is ignored there. */
export function forgetPast({ transcript, rows, finished }: Live): void {
  forgetFinished(transcript)
  finished.clear()
  for (const itemId of rows) if (!transcript.index.has(itemId)) rows.delete(itemId)
}

/** The oldest of many makes room: its row says what it was, and as it counts as unknown from now on, is never written again. */
export function keepFinished({ transcript, rows, finished }: Live, { id, type, done }: Item): void {
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
