// Read marks: the sessions with messages that a person has not seen. Kept in this browser.
import type { SessionSummary } from '@quayside/protocol'
import { useEffect } from 'react'
import { Store, useStore } from '../shared/store.js'
import { hasFallenAsleep } from './session-state.js'

/** The number of messages that were seen in each session. */
type Marks = Readonly<Record<string, number>>
type Kept = { readonly since: number; readonly marks: Marks }

const KEY = 'quayside.read'
const MAX_MARKS = 500
/** Lower than any message count: the person marked the session as unread. */
const UNREAD = -1

const store = new Store(read())

// Another tab of this browser has changed the marks.
addEventListener('storage', ({ key }) => {
  if (key === KEY) store.set(read())
})

/** The returned function changes with the marks. */
export function useUnread(): (session: SessionSummary) => boolean {
  const kept = useStore(store)
  return (session) => isUnread(session, kept)
}

/** Remembers the listed sessions that count as read by their age, because falling asleep later changes their date. */
export function useFirstMarks(sessions: readonly SessionSummary[]): void {
  useEffect(() => {
    const { since, marks } = store.get()
    const old = sessions.filter(
      ({ id, updatedAt }) => marks[id] === undefined && Date.parse(updatedAt) <= since,
    )
    // They displace no mark of a session that a person has opened.
    const room = MAX_MARKS - Object.keys(marks).length
    if (old.length > 0 && room > 0)
      mark(old.slice(0, room).map(({ id, messageCount }) => [id, messageCount]))
  }, [sessions])
}

export function markRead({ id, messageCount }: SessionSummary): void {
  if (store.get().marks[id] !== messageCount) mark([[id, messageCount]])
}

export function markUnread({ id }: SessionSummary): void {
  mark([[id, UNREAD]])
}

/** A working session has nothing to read yet, and a waiting one is highlighted anyway. */
function isUnread(session: SessionSummary, { since, marks }: Kept): boolean {
  if (session.activity === 'working' || session.activity === 'waiting') return false
  const seen = marks[session.id]
  // The person ended this session, so it is unread only if they marked it.
  if (session.status === 'cancelled' && seen !== UNREAD) return false
  // Sessions from before this browser's first visit count as read.
  if (seen === undefined) return messagesOf(session) > 0 && Date.parse(session.updatedAt) > since
  return messagesOf(session) > seen
}

/** Falling asleep adds one message, which is no result. */
function messagesOf(session: SessionSummary): number {
  return session.messageCount - (hasFallenAsleep(session) ? 1 : 0)
}

function mark(changed: readonly (readonly [id: string, messages: number])[]): void {
  const { since, marks } = store.get()
  const ids = new Set(changed.map(([id]) => id))
  const others = Object.entries(marks).filter(([id]) => !ids.has(id))
  const kept = { since, marks: Object.fromEntries([...others, ...changed].slice(-MAX_MARKS)) }
  store.set(kept)
  keep(kept)
}

function keep(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage the marks last until the page closes.
  }
}

function read(): Kept {
  try {
    const { since, marks } = JSON.parse(localStorage.getItem(KEY) ?? '') as Kept
    if (typeof since === 'number' && typeof marks === 'object') return { since, marks }
  } catch {
    // The first visit, or the stored value is invalid.
  }
  const fresh = { since: Date.now(), marks: {} }
  keep(fresh)
  return fresh
}
