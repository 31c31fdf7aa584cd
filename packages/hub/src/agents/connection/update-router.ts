// Routes an agent's updates to their sessions, in wire order, and drops replayed updates.
import type { SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from '../../json.js'

/** Updates kept for ACP sessions that are not attached yet, because they may precede the answer to session/new. */
const MAX_UNCLAIMED = { updates: 1_000, chars: 16 * 1024 * 1024 }
/** Closed sessions that are remembered, in order to drop their late updates. */
const MAX_CLOSED = 1_000

/** The kinds of updates that are part of the conversation, which a replay repeats. */
export const HISTORY: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
])

/** Receives an update and the number of chunks that were joined into it. */
export type ReceiveUpdate = (update: SessionUpdate, chunks: number) => void

export type UpdateReceiver = {
  readonly onUpdate: ReceiveUpdate
  /** Undefined while the session can take more updates. */
  whenRoom(): Promise<void> | undefined
}

type Unclaimed = { readonly update: SessionUpdate; readonly chars: number }
type Replay = { onUpdate(kind: string): void }

export class UpdateRouter {
  readonly #receivers = new Map<string, ReceiveUpdate>()
  readonly #unclaimed = new Map<string, Unclaimed[]>()
  readonly #kept = { updates: 0, chars: 0 }
  readonly #closed = new Set<string>()
  readonly #replays = new Map<string, Replay>()

  /** Takes the unchecked params of a `session/update`. Drops those without a session or a kind. */
  receive({ sessionId: acpSessionId, update }: JsonObject, chunks: number): void {
    if (typeof acpSessionId !== 'string' || !isUpdate(update)) return
    const replay = this.#replays.get(acpSessionId)
    if (replay && HISTORY.has(update.sessionUpdate)) return
    const receive = this.#receivers.get(acpSessionId)
    if (receive) receive(update, chunks)
    else if (!this.#closed.has(acpSessionId)) this.#keep(acpSessionId, update)
    replay?.onUpdate(update.sessionUpdate)
  }

  attach(acpSessionId: string, receive: ReceiveUpdate): void {
    this.#receivers.set(acpSessionId, receive)
    this.#closed.delete(acpSessionId)
    for (const { update } of this.#takeUnclaimed(acpSessionId)) receive(update, 1)
  }

  /** Later updates are dropped. */
  detach(acpSessionId: string): void {
    this.#receivers.delete(acpSessionId)
    this.#replays.delete(acpSessionId)
    this.#closed.add(acpSessionId)
    const [oldest] = this.#closed
    if (this.#closed.size > MAX_CLOSED && oldest !== undefined) this.#closed.delete(oldest)
  }

  /** Drops updates of the conversation until `endReplay`: some agents continue to replay after their answer. */
  startReplay(acpSessionId: string): void {
    this.#closed.delete(acpSessionId)
    this.#replays.set(acpSessionId, { onUpdate: () => {} })
  }

  endReplay(acpSessionId: string): void {
    this.#replays.delete(acpSessionId)
  }

  /** Resolves at the first update of this kind, or at the deadline. */
  replayReaches(acpSessionId: string, kind: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#replays.set(acpSessionId, {
        onUpdate: (seen) => {
          if (seen !== kind) return
          clearTimeout(timer)
          resolve()
        },
      })
    })
  }

  #keep(acpSessionId: string, update: SessionUpdate): void {
    const chars = lengthOf(update)
    if (chars === undefined) return
    for (const oldest of this.#unclaimed.keys()) {
      const isFull = this.#kept.updates >= MAX_UNCLAIMED.updates
      if (!isFull && this.#kept.chars + chars <= MAX_UNCLAIMED.chars) break
      this.#takeUnclaimed(oldest)
    }
    this.#kept.updates += 1
    this.#kept.chars += chars
    const kept = this.#unclaimed.get(acpSessionId) ?? []
    kept.push({ update, chars })
    this.#unclaimed.set(acpSessionId, kept)
  }

  #takeUnclaimed(acpSessionId: string): readonly Unclaimed[] {
    const taken = this.#unclaimed.get(acpSessionId) ?? []
    this.#unclaimed.delete(acpSessionId)
    this.#kept.updates -= taken.length
    for (const { chars } of taken) this.#kept.chars -= chars
    return taken
  }
}

/** Undefined while each of these sessions can take more updates. */
export function whenRoomIn(sessions: Iterable<UpdateReceiver>): Promise<unknown> | undefined {
  const waits = [...sessions].flatMap((session) => session.whenRoom() ?? [])
  return waits.length === 0 ? undefined : Promise.all(waits)
}

/** Undefined for a value that is nested too deeply to be serialised, and so could not be stored. */
function lengthOf(update: SessionUpdate): number | undefined {
  try {
    return JSON.stringify(update).length
  } catch {
    return undefined
  }
}

function isUpdate(value: unknown): value is SessionUpdate {
  return isObject(value) && typeof value['sessionUpdate'] === 'string'
}
