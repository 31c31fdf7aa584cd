// A session's log, folded as far as it is needed to fold on: open items, and those that ended last. However long the log is, memory
// holds a bounded part of it, and so does a checkpoint.
import {
  applyEvent,
  emptyTranscript,
  findItem,
  forgetSettled,
  loadTranscript,
  type SavedTranscript,
  saveTranscript,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import type { Checkpoint } from '../../store/checkpoint-store.js'
import { shorten, toShown } from './long-texts.js'

/** A checkpoint follows after one of these, but if it is large, not before the log has grown by several times its size. */
const CHECKPOINT_EVENTS = 500
const CHECKPOINT_BYTES = 256 * 1024
const GROWTH = 4
const MAX_EVENTS = 5_000

export type LiveTranscript = {
  readonly transcript: Transcript
  /** Items that have a row. */
  readonly rows: Set<string>
  /** Items that the current batch changed. */
  readonly changed: Set<string>
  /** See `Checkpoint`. */
  steps: number
  readonly sinceCheckpoint: { events: number; bytes: number }
  checkpointBytes: number
  /** JSON of the activity as it was planned last. */
  plannedActivity?: string
}

export function liveTranscript(checkpoint?: Checkpoint): LiveTranscript {
  const transcript =
    checkpoint === undefined
      ? emptyTranscript()
      : loadTranscript(JSON.parse(checkpoint.state) as SavedTranscript)
  return {
    transcript,
    rows: new Set(transcript.index.keys()),
    changed: new Set(),
    steps: checkpoint?.steps ?? 0,
    sinceCheckpoint: { events: 0, bytes: 0 },
    checkpointBytes: checkpoint?.state.length ?? 0,
  }
}

/** Folds an event of this many bytes, and returns the ids of the items that changed. */
export function foldLive(
  live: LiveTranscript,
  event: SessionEvent,
  bytes: number,
): readonly string[] {
  const { transcript, sinceCheckpoint } = live
  sinceCheckpoint.events += 1
  sinceCheckpoint.bytes += bytes
  const changed = applyEvent(transcript, event)
  for (const itemId of changed) {
    const position = transcript.index.get(itemId)
    const item = position === undefined ? undefined : transcript.items[position]
    if (position === undefined || item === undefined) continue
    transcript.items[position] = shorten(item)
    if (item.done || item.seq === event.seq) live.steps += 1
  }
  return changed
}

/** True when enough was folded since the last checkpoint. */
export function isCheckpointDue({ sinceCheckpoint, checkpointBytes }: LiveTranscript): boolean {
  const { events, bytes } = sinceCheckpoint
  const isLong = events >= CHECKPOINT_EVENTS || bytes >= CHECKPOINT_BYTES
  return isLong && (bytes >= GROWTH * checkpointBytes || events >= MAX_EVENTS)
}

/** Drops items that no later event changes: their rows are final. */
export function takeCheckpoint(live: LiveTranscript): Checkpoint {
  const { transcript, rows, steps } = live
  forgetSettled(transcript)
  for (const itemId of rows) if (findItem(transcript, itemId) === undefined) rows.delete(itemId)
  const saved = saveTranscript(transcript)
  const state = JSON.stringify({ ...saved, items: saved.items.map(toShown) })
  live.sinceCheckpoint.events = 0
  live.sinceCheckpoint.bytes = 0
  live.checkpointBytes = state.length
  return { seq: transcript.seq, steps, state }
}
