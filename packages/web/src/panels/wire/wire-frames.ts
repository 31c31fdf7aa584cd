// Turns raw frames into entries of the wire list: kind, method, matching request, and runs of updates.
import type { WireFrame } from '@quayside/client'

export type WireEntry = {
  /** Increases with every frame, so that a row keeps its identity. */
  readonly id: number
  readonly frame: WireFrame
  readonly kind: 'request' | 'notification' | 'answer' | 'error' | 'text'
  /** For a response, the method of its request. */
  readonly method: string
  readonly requestId?: string | undefined
  /** Present in responses. */
  readonly tookMs?: number | undefined
  /** The id of the request's entry. */
  readonly answers?: number | undefined
  /** The kind of an update, such as `agent_message_chunk`. */
  readonly detail?: string | undefined
}

export type WireFilter = {
  readonly direction: 'all' | WireFrame['direction']
  readonly method: string
  readonly text: string
}

type Message = {
  readonly id?: unknown
  readonly method?: unknown
  readonly error?: unknown
  readonly params?: {
    readonly update?: { readonly sessionUpdate?: unknown; readonly toolCallId?: unknown }
    readonly toolCall?: { readonly toolCallId?: unknown }
  }
}

/** More than the hub keeps in memory, so that an open panel shows older frames. */
const MAX_ENTRIES = 5_000

/** Adds new frames to the known ones. The hub returns its newest frames, most of which are known. */
export function withFrames(
  entries: readonly WireEntry[],
  fresh: readonly WireFrame[],
): WireEntry[] {
  const lastAt = entries.at(-1)?.frame.at ?? -1
  const known = counted(entries.map(({ frame }) => frame).filter(({ at }) => at === lastAt))
  const added = fresh.filter((frame) => {
    if (frame.at !== lastAt) return frame.at > lastAt
    const key = keyOf(frame)
    const left = known.get(key) ?? 0
    known.set(key, left - 1)
    return left <= 0
  })
  const all = [...entries]
  for (const frame of added) all.push(toEntry(frame, all))
  return all.slice(-MAX_ENTRIES)
}

/** Groups adjacent entries of the same kind, which the list shows as one row with a count. */
export function inRuns(entries: readonly WireEntry[]): WireEntry[][] {
  const runs: WireEntry[][] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    const [first] = last ?? []
    if (last && first && isSameRun(first, entry)) last.push(entry)
    else runs.push([entry])
  }
  return runs
}

export function matching(entries: readonly WireEntry[], filter: WireFilter): WireEntry[] {
  const text = filter.text.toLowerCase()
  return entries.filter(
    ({ frame, method }) =>
      (filter.direction === 'all' || frame.direction === filter.direction) &&
      (filter.method === '' || method === filter.method) &&
      (text === '' || textOf(frame).toLowerCase().includes(text)),
  )
}

/** The tool call that a message refers to. */
export function toolCallOf({ frame: { frame } }: WireEntry): unknown {
  if (typeof frame !== 'object' || frame === null) return undefined
  const { params }: Message = frame
  return params?.update?.toolCallId ?? params?.toolCall?.toolCallId
}

export function textOf({ frame }: WireFrame): string {
  return typeof frame === 'string' ? frame : JSON.stringify(frame, null, 2)
}

function isSameRun(a: WireEntry, b: WireEntry): boolean {
  const isFoldable = a.kind === 'notification' && b.kind === 'notification'
  const isSame = a.method === b.method && a.detail === b.detail
  return isFoldable && isSame && a.frame.direction === b.frame.direction
}

function toEntry(frame: WireFrame, before: readonly WireEntry[]): WireEntry {
  const id = (before.at(-1)?.id ?? 0) + 1
  const message: Message | undefined =
    typeof frame.frame === 'object' && frame.frame !== null ? frame.frame : undefined
  if (!message) return { id, frame, kind: 'text', method: '' }
  const requestId = message.id === undefined ? undefined : JSON.stringify(message.id)
  const update = message.params?.update?.sessionUpdate
  const detail = typeof update === 'string' ? update : undefined
  if (typeof message.method === 'string') {
    const kind = requestId === undefined ? 'notification' : 'request'
    return { id, frame, kind, method: message.method, requestId, detail }
  }
  const request = before.findLast(
    (entry) =>
      entry.kind === 'request' &&
      entry.requestId === requestId &&
      entry.frame.process === frame.process &&
      entry.frame.direction !== frame.direction,
  )
  const kind = message.error === undefined ? 'answer' : 'error'
  const tookMs = request && frame.at - request.frame.at
  const answers = request?.id
  return { id, frame, kind, method: request?.method ?? '', requestId, tookMs, answers }
}

function counted(frames: readonly WireFrame[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const frame of frames) counts.set(keyOf(frame), (counts.get(keyOf(frame)) ?? 0) + 1)
  return counts
}

function keyOf({ at, direction, process, bytes, frame }: WireFrame): string {
  return JSON.stringify([at, direction, process, bytes, frame])
}
