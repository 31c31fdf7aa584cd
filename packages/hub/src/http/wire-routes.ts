// GET /api/sessions/:id/wire: the raw lines between the hub and a session's agent, for finding out who said what.
import type { WireFrame } from '@quayside/protocol'
import { sessionWireQuerySchema } from '@quayside/protocol/schemas'
import { type Request, type Response, Router } from 'express'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { faultMarker } from '../agents/wire/frame-faults.js'
import { goneSignal, roomIn, sendAll } from './download.js'
import type { SessionDeps } from './session-routes.js'

const KEEP_ALIVE_MS = 15_000

export type WireDeps = Pick<SessionDeps, 'reader'> & { readonly agents: AgentRuntime }

export function wireRoutes({ reader, agents }: WireDeps): Router {
  const routes = Router()

  routes.get('/:id/wire', async (request, response) => {
    const { limit, format, follow } = sessionWireQuerySchema.parse(request.query)
    const { id } = await reader.requireSummary(request.params.id)
    if (follow === 'true') {
      await sendPages(response, agents.wireLog.follow(id, limit, goneSignal(response)))
      return
    }
    const frames = (await agents.wireLog.ofSession(id, limit)).map(faultMarker())
    await sendFrames([request, response], frames, { format, name: `wire-${id}` })
  })

  return routes
}

type Download = { readonly format: 'json' | 'jsonl' | undefined; readonly name: string }

/** As JSON, or as a file of lines for whoever asks for one by `format` or `Accept`. */
export async function sendFrames(
  [request, response]: readonly [Request, Response],
  frames: readonly WireFrame[],
  { format, name }: Download,
): Promise<void> {
  const types = ['application/json', 'application/x-ndjson']
  const isWanted = format === undefined && request.accepts(types) === 'application/x-ndjson'
  if (format !== 'jsonl' && !isWanted) {
    response.json({ frames })
    return
  }
  response.attachment(`${name}.jsonl`).type('application/x-ndjson')
  await sendAll(response, linesOf(frames))
}

/** Lines that go on until the reader goes; an empty one now and then says that the hub is still there. */
async function sendPages(
  response: Response,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) response.write('\n')
  }, KEEP_ALIVE_MS)
  try {
    response.type('application/x-ndjson')
    for await (const page of pages) {
      response.flushHeaders()
      const text = page.map((frame) => `${JSON.stringify(frame)}\n`).join('')
      if (!response.write(text)) await roomIn(response)
    }
    response.end()
  } finally {
    clearInterval(keepAlive)
  }
}

async function* linesOf(frames: readonly WireFrame[]): AsyncGenerator<string> {
  for (const frame of frames) yield `${JSON.stringify(frame)}\n`
}
