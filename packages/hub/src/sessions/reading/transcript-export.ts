// A whole session as transcript entries in reading order, for logs of any length: one pass over the log finds out when each
// item is finished and where it stands, a second one hands each over as soon as it may and lets go of it.
import { setImmediate } from 'node:timers/promises'
import {
  applyEvent,
  emptyTranscript,
  findItem,
  forgetContent,
  type Item,
  placeOf,
  type SessionEvent,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import type { EventLog } from '../log/event-log.js'
import { decodeEvent } from '../log/event-rows.js'

/** An event may weigh a megabyte. */
const PAGE_EVENTS = 100

/** Where an item stands, and the event after which nothing changes it. */
type Place = {
  readonly id: string
  readonly at: number
  readonly seq: number
  readonly finalSeq: number
}
type Outline = {
  /** In reading order. */
  readonly places: readonly Place[]
  /** How many items show what a terminal printed. */
  readonly terminalUses: Map<string, number>
}

/**
 * The session as it is now. What comes later is not in it; when the session is removed on the way, it ends there.
 * Memory holds what is unfinished and a short line for each item.
 */
export async function* exportEntries(
  eventLog: EventLog,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<TranscriptEntry> {
  const log = { eventLog, sessionId, lastSeq: eventLog.lastSeq(sessionId), signal }
  const { places, terminalUses } = await outlineOf(log)
  const transcript = emptyTranscript()
  const terminals = new Map<string, string>()
  let next = 0
  for await (const event of eventsOf(log)) {
    applyEvent(transcript, event)
    if (event.type === 'terminal.exited' && terminalUses.has(event.data.terminalId))
      terminals.set(event.data.terminalId, event.data.output ?? '')
    for (let place = places[next]; place && place.finalSeq <= event.seq; place = places[next]) {
      next += 1
      const item = findItem(transcript, place.id)
      if (item === undefined) continue
      yield transcriptEntry(item, terminals)
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
  const places = transcript.items.map((item): Place => {
    const ends = (terminals.get(item.id) ?? []).map((terminalId) => exits.get(terminalId) ?? 0)
    const finalSeq = Math.max(item.updatedSeq, ...ends)
    return { id: item.id, at: placeOf(item), seq: item.seq, finalSeq }
  })
  return { places: places.toSorted((a, b) => a.at - b.at || a.seq - b.seq), terminalUses }
}

function countUse(uses: Map<string, number>, terminalId: string, change: 1 | -1): number {
  const count = (uses.get(terminalId) ?? 0) + change
  uses.set(terminalId, count)
  return count
}

/** Lets others have their turn after each page. */
async function* eventsOf(log: Log): AsyncGenerator<SessionEvent> {
  const { eventLog, sessionId, lastSeq, signal } = log
  for (let after = 0; after < lastSeq && !signal.aborted;) {
    const page = eventLog.read(sessionId, after, Math.min(PAGE_EVENTS, lastSeq - after))
    const last = page.at(-1)
    if (last === undefined) return
    for (const encoded of page) yield decodeEvent(encoded)
    after = last.seq
    await setImmediate()
  }
}

function terminalsOf(item: Item): readonly string[] {
  if (item.type !== 'tool') return []
  return item.call.content.flatMap((part) => (part.type === 'terminal' ? [part.terminalId] : []))
}
