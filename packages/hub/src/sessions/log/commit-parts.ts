// Cuts the events that wait into batches, and a batch that could not be stored as a whole into the parts that are stored or refused alone.

/**
 * Most events in one transaction, and most streamed text of one session; the rest waits for the next event-loop tick. More events
 * are not faster: 2,000 took the same processor time, and blocked the loop for 60 ms.
 */
export const MAX_BATCH = 500
const MAX_BATCH_CHARS = 512 * 1024
/** An agent is not read while its events wait longer, however few they are: each may be large. */
const MAX_WAIT_MS = 500

type Part = {
  readonly sessionId: string
  readonly hubId?: string | undefined
  readonly after?: number | undefined
}
type Waiting = Part & {
  /** By `performance.now()`. */
  readonly since: number
  readonly run: { readonly length: number } | undefined
}

/** The events of the next transaction. A session whose agent sends megabytes in one piece does not hold up the others. */
export function splitBatch<T extends Waiting>(pending: readonly T[]): { batch: T[]; rest: T[] } {
  const batch: T[] = []
  const rest: T[] = []
  const chars = new Map<string, number>()
  for (const one of pending) {
    const before = chars.get(one.sessionId) ?? 0
    const isFull =
      !isChained(one, batch.at(-1)) && (batch.length >= MAX_BATCH || before >= MAX_BATCH_CHARS)
    ;(isFull ? rest : batch).push(one)
    chars.set(one.sessionId, before + (one.run?.length ?? 0))
  }
  return { batch, rest }
}

/** The ends of a log are stored together: only its last one claims a session whose hub is gone. */
function isChained(one: Part, before: Part | undefined): boolean {
  return (
    one.after !== undefined && before?.after !== undefined && one.sessionId === before.sessionId
  )
}

/** The events of a session fill its share of the next transaction, in which so many sessions have events, or have waited long. */
export function isShareFull(
  pending: readonly Waiting[],
  sessionId: string,
  sessions: number,
): boolean {
  const own = pending.filter((one) => one.sessionId === sessionId)
  const chars = own.reduce((sum, { run }) => sum + (run?.length ?? 0), 0)
  const isLate = own[0] !== undefined && performance.now() - own[0].since > MAX_WAIT_MS
  return own.length * sessions >= MAX_BATCH || chars >= MAX_BATCH_CHARS || isLate
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
