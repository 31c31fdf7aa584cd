// A session's events over HTTP: one JSON page, or server-sent events with the same cursor as every other reader.
import { eventsQuerySchema, timelineQuerySchema } from '@quayside/protocol/schemas'
import { type Request, type Response, Router } from 'express'
import type { EventLog } from '../sessions/log/event-log.js'
import { jsonOf } from '../sessions/log/encoded-events.js'
import { roomIn } from './download.js'
import type { SessionDeps } from './session-routes.js'

const KEEP_ALIVE_MS = 15_000

export function eventRoutes({ reader, eventLog, timelines }: SessionDeps): Router {
  const routes = Router()

  routes.get('/:id/events', async (request, response) => {
    const { after, limit } = eventsQuerySchema.parse(request.query)
    const { id: sessionId } = await reader.requireSummary(request.params.id)
    if (request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream') {
      const resumeAfter = Number(request.get('Last-Event-ID') ?? after)
      const cursor = { sessionId, after: Number.isSafeInteger(resumeAfter) ? resumeAfter : after }
      await serveEventStream(eventLog, cursor, [request, response])
      return
    }
    const events = (await eventLog.read(sessionId, after, limit)).map(jsonOf)
    const lastSeq = await eventLog.lastSeq(sessionId)
    response.type('json').send(`{"events":[${events.join(',')}],"lastSeq":${lastSeq}}`)
  })

  routes.get('/:id/timeline', async (request, response) => {
    const { limit, before } = timelineQuerySchema.parse(request.query)
    const { id } = await reader.requireSummary(request.params.id)
    response.json(await timelines.read(id, limit, before))
  })

  routes.get('/:id/export', async (request, response) => {
    const { id } = await reader.requireSummary(request.params.id)
    await exportEvents(eventLog, id, response)
  })

  return routes
}

/** The whole log as JSON lines, one event each, page by page. */
async function exportEvents(eventLog: EventLog, id: string, response: Response): Promise<void> {
  response.attachment(`session-${id}.jsonl`).type('application/x-ndjson')
  for (let page = await eventLog.read(id, 0); page.length > 0;) {
    const isRoom = response.write(page.map((event) => `${jsonOf(event)}\n`).join(''))
    if (!isRoom) await roomIn(response)
    if (response.destroyed) return
    page = await eventLog.read(id, page.at(-1)?.seq ?? 0)
  }
  response.end()
}

/** Streams everything after `after` until the client goes; `Last-Event-ID` of a reconnect is the seq it saw last. */
async function serveEventStream(
  eventLog: EventLog,
  { sessionId, after }: { sessionId: string; after: number },
  [request, response]: [Request, Response],
): Promise<void> {
  const gone = new AbortController()
  request.once('close', () => gone.abort())
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  response.write('retry: 1000\n\n')
  const keepAlive = setInterval(() => {
    // Whoever does not read what is there needs no more of it.
    if (!response.writableNeedDrain) response.write(': still here\n\n')
  }, KEEP_ALIVE_MS)
  try {
    for await (const page of eventLog.follow(sessionId, after, gone.signal)) {
      const text = page.map((event) => `id: ${event.seq}\ndata: ${jsonOf(event)}\n\n`).join('')
      if (!response.write(text)) await roomIn(response)
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    clearInterval(keepAlive)
    response.end()
  }
}
