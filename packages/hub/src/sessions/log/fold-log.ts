// Folds the stored events of a session from a checkpoint on, a page at a time, and stores the checkpoints that an old log lacks.
import { setImmediate } from 'node:timers/promises'
import { LATE_EVENTS } from '@quayside/protocol'
import type { Checkpoint } from '../../store/checkpoint-store.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import type { Store } from '../../store/store.js'
import { decodeEvent } from './encoded-events.js'
import {
  foldLive,
  isCheckpointDue,
  type LiveTranscript,
  liveTranscript,
  takeCheckpoint,
} from './live-transcript.js'

/** Events that are folded before other work may run. */
const PAGE_EVENTS = 250
const PAGE_BYTES = 128 * 1024

/** The events of a session before `end`, or all of them. */
export type FoldRange = { readonly sessionId: string; readonly end?: number }

export type FoldStore = Pick<Store, 'events' | 'checkpoints'>

/** The last checkpoint from which a fold is exact at `seq`: calls that ended before it do not change any more. */
export function openFold(
  { checkpoints }: FoldStore,
  sessionId: string,
  seq: number,
): MaybePromise<LiveTranscript> {
  return whenReady(checkpoints.find(sessionId, seq - LATE_EVENTS), liveTranscript)
}

/** Folds the next page of events before `end`. False when none is left. */
export function foldNext(
  store: FoldStore,
  live: LiveTranscript,
  { sessionId, end = Infinity }: FoldRange,
): MaybePromise<boolean> {
  const { seq } = live.transcript
  const limit = Math.min(PAGE_EVENTS, end - 1 - seq)
  if (limit <= 0) return false
  return whenReady(store.events.read(sessionId, seq, limit), (events) => {
    const due: Checkpoint[] = []
    let bytes = 0
    for (const encoded of events) {
      const { length } = encoded.bytes
      for (const itemId of foldLive(live, decodeEvent(encoded), length)) live.rows.add(itemId)
      if (isCheckpointDue(live)) due.push(takeCheckpoint(live))
      bytes += length
      if (bytes >= PAGE_BYTES) break
    }
    return whenReady(addMissing(store, sessionId, due), () => bytes > 0)
  })
}

/** Folds everything before `end`, with other work in between. */
export async function foldTo(
  store: FoldStore,
  live: LiveTranscript,
  range: FoldRange,
): Promise<void> {
  while (await foldNext(store, live, range)) await setImmediate()
}

/** Most folds pass checkpoints that are stored: these are not written again. */
function addMissing(
  { checkpoints }: FoldStore,
  sessionId: string,
  due: readonly Checkpoint[],
): MaybePromise<void> {
  const last = due.at(-1)
  if (last === undefined) return undefined
  return whenReady(checkpoints.find(sessionId, last.seq), (found) =>
    found?.seq === last.seq ? undefined : checkpoints.add(sessionId, due),
  )
}
