// Which sessions a person has not looked at since something was said in them. Kept in this browser.
import type { SessionSummary } from '@quayside/protocol'
import { Store, useStore } from '../shared/store.js'

/** How many messages of a session were seen. */
type Marks = Readonly<Record<string, number>>
type Kept = { readonly since: number; readonly marks: Marks }

const KEY = 'quayside.read'
const MAX_MARKS = 500
/** Fewer than any session has: a person wants to be reminded of it. */
const UNREAD = -1

const store = new Store(read())

// Another tab of this browser was read in.
addEventListener('storage', ({ key }) => {
  if (key === KEY) store.set(read())
})

/** Looks at one session; the result changes with what was read. */
export function useUnread(): (session: SessionSummary) => boolean {
  const kept = useStore(store)
  return (session) => isUnread(session, kept)
}

export function markRead({ id, messageCount }: SessionSummary): void {
  if (store.get().marks[id] !== messageCount) mark(id, messageCount)
}

export function markUnread({ id }: SessionSummary): void {
  mark(id, UNREAD)
}

/** While an agent works there is nothing to read yet, and what waits for a person says so itself. */
function isUnread(session: SessionSummary, { since, marks }: Kept): boolean {
  if (session.activity === 'working' || session.activity === 'waiting') return false
  const seen = marks[session.id]
  // Whoever ended a session knows it, unless they want to be reminded.
  if (session.status === 'cancelled' && seen !== UNREAD) return false
  // Of sessions from before this browser's first visit nothing is known.
  if (seen === undefined) return session.messageCount > 0 && Date.parse(session.updatedAt) > since
  return session.messageCount > seen
}

function mark(id: string, messages: number): void {
  const { since, marks } = store.get()
  const { [id]: _, ...others } = marks
  const newest = Object.entries(others).slice(1 - MAX_MARKS)
  const kept = { since, marks: { ...Object.fromEntries(newest), [id]: messages } }
  store.set(kept)
  keep(kept)
}

function keep(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing forgets what was read; that is all.
  }
}

function read(): Kept {
  try {
    const { since, marks } = JSON.parse(localStorage.getItem(KEY) ?? '') as Kept
    if (typeof since === 'number' && typeof marks === 'object') return { since, marks }
  } catch {
    // The first visit, or something else was stored there.
  }
  const fresh = { since: Date.now(), marks: {} }
  keep(fresh)
  return fresh
}
