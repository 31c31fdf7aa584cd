// Clients of a hub besides the usual feed: one that watches the list of sessions, and one that reads server-sent events.
import type { SessionSummary } from '@quayside/protocol'
import { expect } from 'vitest'
import { openSocket } from './test-feed.js'
import { type TestHub, TOKEN } from './test-hub.js'

/** The rows of the list as a socket of this hub reports them. */
export async function watchList(hub: TestHub) {
  const socket = await openSocket(hub.hub.address)
  const rows = new Map<string, SessionSummary>()
  const removed = new Set<string>()
  socket.on('message', (data: Buffer) => {
    const { params } = JSON.parse(data.toString()) as { params?: Partial<ListChange> }
    for (const session of params?.sessions ?? []) rows.set(session.id, session)
    for (const id of params?.removed ?? []) removed.add(id)
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sessions/watch', params: {} }))
  return { rows, removed, [Symbol.asyncDispose]: async () => socket.terminate() }
}
type ListChange = { readonly sessions: SessionSummary[]; readonly removed: string[] }

/** Server-sent events of a session. */
export async function readStream(hub: TestHub, sessionId: string) {
  const stop = new AbortController()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${TOKEN}` }
  const address = `${hub.hub.address}/api/sessions/${sessionId}/events`
  const { body } = await fetch(address, { headers, signal: stop.signal })
  let text = ''
  const reading = (async () => {
    for await (const bytes of body!) text += Buffer.from(bytes).toString()
  })().catch(() => undefined)
  return {
    /** The end of this turn has arrived. */
    until: (turnId: string) =>
      expect.poll(() => text).toMatch(new RegExp(`"type":"turn.ended","data":.*${turnId}`)),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await reading
    },
  }
}
