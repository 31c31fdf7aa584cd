// GET /api/sessions/:id/wire: the raw lines between the hub and a session's agent, for finding out who said what.
import type { WireFrame } from '@quayside/protocol'
import { sessionWireQuerySchema } from '@quayside/protocol/schemas'
import { type Request, type Response, Router } from 'express'
import type { AgentGround } from '../agents/agent-ground.js'
import { withFaults } from '../agents/wire/frame-faults.js'
import { sendAll } from './download.js'
import type { SessionParts } from './session-routes.js'

export type WireParts = Pick<SessionParts, 'reader'> & { readonly agents: AgentGround }

export function wireRoutes({ reader, agents }: WireParts): Router {
  const routes = Router()

  routes.get('/:id/wire', async (request, response) => {
    const { limit, format } = sessionWireQuerySchema.parse(request.query)
    const { id } = await reader.requireSummary(request.params.id)
    const frames = withFaults(await agents.wireLog.ofSession(id, limit))
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

async function* linesOf(frames: readonly WireFrame[]): AsyncGenerator<string> {
  for (const frame of frames) yield `${JSON.stringify(frame)}\n`
}
