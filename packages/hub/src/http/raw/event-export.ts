// GET /api/sessions/:id/export: the whole log of a session as a download, one event on each line.
import { jsonOf } from '../../sessions/log/encoded-events.js'
import type { EventLog } from '../../sessions/log/event-log.js'
import type { SessionReader } from '../../sessions/reading/session-reader.js'
import { goneSignal, sendAll } from './download.js'
import { yieldLoop } from '../../yield-loop.js'
import type { Raw } from './raw.js'

export type EventExportDeps = { readonly reader: SessionReader; readonly eventLog: EventLog }

export function eventExport({ reader, eventLog }: EventExportDeps): Pick<Raw, 'session/export'> {
  return {
    'session/export': async ({ sessionId }, { response }) => {
      const { id } = await reader.requireSummary(sessionId)
      response.attachment(`session-${id}.jsonl`).type('application/x-ndjson')
      await sendAll(response, linesOf(eventLog, id, goneSignal(response)))
    },
  }
}

async function* linesOf(eventLog: EventLog, id: string, gone: AbortSignal): AsyncGenerator<string> {
  for (let page = await eventLog.read(id, 0); page.length > 0 && !gone.aborted;) {
    yield page.map((event) => `${jsonOf(event)}\n`).join('')
    await yieldLoop()
    page = await eventLog.read(id, page.at(-1)?.seq ?? 0)
  }
}
