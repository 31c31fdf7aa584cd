// Compares a restarted hub with everything its predecessors sent, before any client sends a request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { foldEvents, messageOf, type SessionEvent, type SessionStatus } from '@quayside/protocol'
import { shorten } from '../../src/sessions/log/long-texts.js'
import { LogFacts } from './log-facts.js'
import type { Shadow, SessionShadow } from './shadow.js'

const READ_SQLITE = fileURLToPath(new URL('read-store.mjs', import.meta.url))
const READ_POSTGRES = fileURLToPath(new URL('read-postgres.mjs', import.meta.url))

type SessionRow = {
  readonly id: string
  readonly status: SessionStatus
  readonly metadata: string
  readonly lastSeq: number
  readonly title: string | null
  readonly events: number
  readonly partials: number
}
type MessageRow = {
  readonly itemId: string
  readonly turnId: string | null
  readonly role: string
  readonly content: string
  readonly seq: number
  readonly updatedSeq: number
}
type Log = {
  readonly id: string
  readonly events: readonly string[]
  readonly messages: readonly MessageRow[]
}
type Snapshot = {
  readonly damage: readonly string[]
  readonly sessions: readonly SessionRow[]
  readonly strayEvents: readonly unknown[]
  readonly logs: readonly Log[]
}

/** Resolves with the number of compared events. Sessions that no client knew are added to the shadow. */
export async function audit(
  shadow: Shadow,
  database: string,
  { everything }: { everything: boolean },
): Promise<number> {
  const touched = [...shadow.sessions.values()].filter((known) => everything || known.isTouched)
  const snapshot = await readStore(
    database,
    touched.map(({ id }) => id),
  )
  for (const line of snapshot.damage) shadow.blame('corrupt', line)
  if (snapshot.strayEvents.length > 0)
    shadow.blame('corrupt', `events without a session: ${JSON.stringify(snapshot.strayEvents)}`)
  const rows = new Map(snapshot.sessions.map((row) => [row.id, row]))
  for (const known of shadow.sessions.values()) compareRow(shadow, known, rows.get(known.id))
  let compared = 0
  for (const log of snapshot.logs) compared += compareLog(shadow, log, rows.get(log.id))
  for (const { id } of snapshot.sessions) shadow.session(id)
  return compared
}

async function readStore(database: string, ids: readonly string[]): Promise<Snapshot> {
  const program = database.startsWith('postgres://') ? READ_POSTGRES : READ_SQLITE
  const child = spawn(process.execPath, [program, database], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  child.stdin.end(JSON.stringify(ids))
  const output = await text(child.stdout)
  const [code] = (await closed) as [number | null]
  if (code !== 0) throw new Error(`the database could not be read: exit code ${code}`)
  return JSON.parse(output) as Snapshot
}

function compareRow(shadow: Shadow, known: SessionShadow, row: SessionRow | undefined): void {
  const { id, length, isTouched } = known
  if (row === undefined) return shadow.blame('lost', `session ${id}`)
  const blame = (what: string): void => shadow.blame('untrue', `session ${id} ${what}`)
  if (row.status === 'active') blame('is active without an agent')
  if (row.partials > 0) blame(`has ${row.partials} messages that never end`)
  if (row.lastSeq !== row.events) blame(`says lastSeq ${row.lastSeq} of ${row.events} events`)
  if (!isTouched && row.events !== length)
    shadow.blame('doubled', `session ${id}, untouched, went from ${length} to ${row.events} events`)
}

/** Compares the log of one session with everything that was sent about it, and checks it for consistency. */
function compareLog(shadow: Shadow, log: Log, row: SessionRow | undefined): number {
  const known = shadow.session(log.id)
  const events = log.events.map((json) => JSON.parse(json) as SessionEvent)
  for (const [index, { seq }] of events.entries())
    if (seq !== index + 1) shadow.blame('gap', `session ${log.id}, event ${index + 1} is ${seq}`)
  for (const [seq, json] of known.seen) {
    const stored = log.events[seq - 1]
    const where = `session ${log.id}, event ${seq}`
    if (stored === undefined) shadow.blame('lost', `${where} was seen: ${json}`)
    else if (stored !== json) shadow.blame('changed', `${where}: ${stored} was seen as ${json}`)
  }
  const facts = new LogFacts(events)
  for (const acknowledged of known.acknowledged) {
    const problem = facts.contradictionOf(acknowledged)
    if (problem) shadow.blame('lost', `session ${log.id}: ${problem}`)
  }
  for (const problem of facts.doubled()) shadow.blame('doubled', `session ${log.id}: ${problem}`)
  for (const problem of facts.overtaken()) shadow.blame('lost', `session ${log.id}: ${problem}`)
  for (const problem of facts.unended()) shadow.blame('untrue', `session ${log.id}: ${problem}`)
  if (row !== undefined && row.status !== facts.statusAt(events.length))
    shadow.blame('untrue', `session ${log.id} is ${row.status}, its log says otherwise`)
  compareMessages(shadow, log, events)
  known.length = events.length
  known.isTouched = false
  return known.seen.size
}

function compareMessages(shadow: Shadow, { id, messages }: Log, events: SessionEvent[]): void {
  const folded = foldEvents(events).items.flatMap((item) => {
    const message = messageOf(shorten(item))
    const { id: itemId, turnId = null, seq, updatedSeq } = item
    if (message === undefined) return []
    const content = JSON.stringify(message.content)
    return [JSON.stringify({ itemId, turnId, role: message.role, content, seq, updatedSeq })]
  })
  const rows = messages.map((message) => JSON.stringify(message))
  const known = new Set(rows)
  const wanted = new Set(folded)
  for (const item of folded)
    if (!known.has(item)) shadow.blame('unfolded', `session ${id}: no message is ${item}`)
  for (const row of rows)
    if (!wanted.has(row)) shadow.blame('unfolded', `session ${id}: no event says ${row}`)
}
