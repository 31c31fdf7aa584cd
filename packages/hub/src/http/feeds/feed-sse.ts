// A session's events over HTTP: one JSON page, or server-sent events with the same cursor as every other reader.
import type { Response } from 'express'
import type { EventLog } from '../../sessions/log/event-log.js'
import { jsonOf } from '../../sessions/log/encoded-events.js'
import { goneSignal, keepAlive, roomIn } from '../raw/download.js'
import type { RawRoom } from '../../api/room.js'

export const events: RawRoom<'event/list'> = ({ reader, eventLog }) => {
  return {
    'event/list': async (input, { request, response }) => {
      const { after, limit } = input
      const { id: sessionId } = await reader.requireSummary(input.sessionId)
      if (request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream') {
        const resumeAfter = Number(request.get('Last-Event-ID') ?? after)
        const cursor = { sessionId, after: Number.isSafeInteger(resumeAfter) ? resumeAfter : after }
        await serveEventStream(eventLog, cursor, response)
        return
      }
      const page = await eventLog.read(sessionId, after, limit)
      const lastSeq = await eventLog.lastSeq(sessionId)
      response.type('json').send(`{"events":[${page.map(jsonOf).join(',')}],"lastSeq":${lastSeq}}`)
    },
  }
}

/**
 * Streams everything after `after` until the client goes or the session is removed; `Last-Event-ID` of a reconnect is the
 * seq it saw last. A cursor beyond the end of the log, as after a restored backup, ends it with `reset`.
 */
async function serveEventStream(
  eventLog: EventLog,
  { sessionId, after }: { sessionId: string; after: number },
  response: Response,
): Promise<void> {
  const gone = goneSignal(response)
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  response.write('retry: 1000\n\n')
  const stopKeepAlive = keepAlive(response, ': still here\n\n')
  try {
    const lastSeq = await eventLog.lastSeq(sessionId)
    if (after > lastSeq) {
      // With this id, a browser's EventSource reconnects from the beginning.
      response.write(`id: 0\n${namedEvent('reset', { sessionId, after, lastSeq })}`)
      return
    }
    for await (const page of eventLog.follow(sessionId, after, gone)) {
      const text = page.map((event) => `id: ${event.seq}\ndata: ${jsonOf(event)}\n\n`).join('')
      if (!response.write(text)) await roomIn(response)
    }
    if (!gone.aborted) response.write(namedEvent('removed', { sessionId }))
  } catch (error) {
    if (!gone.aborted) throw error
  } finally {
    stopKeepAlive()
    response.end()
  }
}

function namedEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
