// A whole session as transcript entries in reading order, for logs of any length: a first pass over the log finds the
// position and the last event of each item, a second one yields each item as early as possible and drops it.
import {
  applyEvent,
  emptyTranscript,
  findItem,
  forgetContent,
  type Item,
  placeOf,
  type SessionEvent,
  type TerminalOutputs,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import { yieldLoop } from '../../yield-loop.js'
import type { EventLog } from '../log/event-log.js'
import { decodeEvent } from '../log/encoded-events.js'

/** Few, because one event may have a megabyte. */
const PAGE_EVENTS = 100

/** The position of an item in reading order, and the last event that changes it. */
type Position = {
  readonly id: string
  readonly at: number
  readonly seq: number
  readonly finalSeq: number
}
type Outline = {
  /** In reading order. */
  readonly positions: readonly Position[]
  /** The number of items that show a terminal's output. */
  readonly terminalUses: Map<string, number>
}

/**
 * The session as it is now, without later events; it ends early when the session is removed meanwhile.
 * Memory holds unfinished items and a short entry for each of the others.
 */
export async function* exportEntries(
  eventLog: EventLog,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<TranscriptEntry> {
  for await (const { item, terminals } of readItems(eventLog, sessionId, signal))
    yield transcriptEntry(item, terminals)
}

/** The items of a session in reading order, with the output of the terminals that they show. Prompts that were removed are left out. */
async function* readItems(
  eventLog: EventLog,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly item: Item; readonly terminals: TerminalOutputs }> {
  const log = { eventLog, sessionId, lastSeq: await eventLog.lastSeq(sessionId), signal }
  const { positions, terminalUses } = await outlineOf(log)
  const transcript = emptyTranscript()
  const terminals = new Map<string, string>()
  let next = 0
  for await (const event of eventsOf(log)) {
    applyEvent(transcript, event)
    if (event.type === 'terminal.exited' && terminalUses.has(event.data.terminalId))
      terminals.set(event.data.terminalId, event.data.output ?? '')
    for (
      let position = positions[next];
      position && position.finalSeq <= event.seq;
      position = positions[next]
    ) {
      next += 1
      const item = findItem(transcript, position.id)
      if (item === undefined) continue
      yield { item, terminals }
      forgetContent(transcript, item.id)
      const shown = terminalsOf(item).filter((id) => countUse(terminalUses, id, -1) === 0)
      for (const terminalId of shown) terminals.delete(terminalId)
    }
  }
}

type Log = {
  readonly eventLog: EventLog
  readonly sessionId: string
  readonly lastSeq: number
  readonly signal: AbortSignal
}

async function outlineOf(log: Log): Promise<Outline> {
  const transcript = emptyTranscript()
  const exits = new Map<string, number>()
  const terminals = new Map<string, readonly string[]>()
  for await (const event of eventsOf(log)) {
    if (event.type === 'terminal.exited') exits.set(event.data.terminalId, event.seq)
    for (const id of applyEvent(transcript, event)) {
      const item = findItem(transcript, id)
      const named = item === undefined ? [] : terminalsOf(item)
      if (named.length > 0) terminals.set(id, named)
      if (item?.done && id !== transcript.run?.itemId) forgetContent(transcript, id)
    }
  }
  const terminalUses = new Map<string, number>()
  for (const terminalId of [...terminals.values()].flat()) countUse(terminalUses, terminalId, 1)
  const removed = new Set(transcript.items.filter(isRemoval).map(({ turnId }) => turnId))
  const kept = transcript.items.filter(({ turnId }) => !turnId || !removed.has(turnId))
  const positions = kept.map((item): Position => {
    const ends = (terminals.get(item.id) ?? []).map((terminalId) => exits.get(terminalId) ?? 0)
    const finalSeq = Math.max(item.updatedSeq, ...ends)
    return { id: item.id, at: placeOf(item), seq: item.seq, finalSeq }
  })
  return { positions: positions.toSorted((a, b) => a.at - b.at || a.seq - b.seq), terminalUses }
}

/** The end of a prompt that a person removed before it was sent. */
function isRemoval(item: Item): boolean {
  return item.type === 'turn_end' && item.error?.code === 'removed'
}

function countUse(uses: Map<string, number>, terminalId: string, change: 1 | -1): number {
  const count = (uses.get(terminalId) ?? 0) + change
  uses.set(terminalId, count)
  return count
}

/** Yields to other work after each page. */
async function* eventsOf(log: Log): AsyncGenerator<SessionEvent> {
  const { eventLog, sessionId, lastSeq, signal } = log
  for (let after = 0; after < lastSeq && !signal.aborted;) {
    const page = await eventLog.read(sessionId, after, Math.min(PAGE_EVENTS, lastSeq - after))
    const last = page.at(-1)
    if (last === undefined) return
    for (const encoded of page) yield decodeEvent(encoded)
    after = last.seq
    await yieldLoop()
  }
}

function terminalsOf(item: Item): readonly string[] {
  if (item.type !== 'tool') return []
  return item.call.content.flatMap((part) => (part.type === 'terminal' ? [part.terminalId] : []))
}
