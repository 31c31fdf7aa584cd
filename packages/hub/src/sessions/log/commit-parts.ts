// Cuts the events that wait into batches, and a batch that could not be stored as a whole into the parts that are stored or refused alone.

/**
 * Most events in one transaction, and most streamed text of one session; the rest waits for the next event-loop tick. More events
 * are not faster: 2,000 took the same processor time, and blocked the loop for 60 ms.
 */
export const MAX_BATCH = 500
const MAX_BATCH_CHARS = 512 * 1024

type Part = {
  readonly sessionId: string
  readonly hubId?: string | undefined
  readonly after?: number | undefined
}
type Waiting = { readonly sessionId: string; readonly run: { readonly length: number } | undefined }

/** The events of the next transaction. A session whose agent sends megabytes in one piece does not hold up the others. */
export function splitBatch<T extends Waiting>(pending: readonly T[]): { batch: T[]; rest: T[] } {
  const batch: T[] = []
  const rest: T[] = []
  const chars = new Map<string, number>()
  for (const one of pending) {
    const before = chars.get(one.sessionId) ?? 0
    const isFull = batch.length >= MAX_BATCH || before >= MAX_BATCH_CHARS
    ;(isFull ? rest : batch).push(one)
    chars.set(one.sessionId, before + (one.run?.length ?? 0))
  }
  return { batch, rest }
}

/** The events of a session that wait fill its share of the next transaction, in which so many sessions have events. */
export function isShareFull(
  pending: readonly Waiting[],
  sessionId: string,
  sessions: number,
): boolean {
  let events = 0
  let chars = 0
  for (const one of pending)
    if (one.sessionId === sessionId) {
      events += 1
      chars += one.run?.length ?? 0
    }
  return events * sessions >= MAX_BATCH || chars >= MAX_BATCH_CHARS
}

/** By session. Events that have to follow a named one, or come from another registration of the hub, are a part of their own. */
export function bySession<T extends Part>(batch: readonly T[]): T[][] {
  const parts: T[][] = []
  const lastParts = new Map<string, T[]>()
  for (const pending of batch) {
    const part = lastParts.get(pending.sessionId)
    const last = part?.at(-1)
    const before = last?.after
    const next = before === undefined ? undefined : before + 1
    if (part && pending.after === next && pending.hubId === last?.hubId) {
      part.push(pending)
      continue
    }
    const begun = [pending]
    parts.push(begun)
    lastParts.set(pending.sessionId, begun)
  }
  return parts
}
