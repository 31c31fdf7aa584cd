// The raw lines between the hub and its agents, for debugging: of one session, or the newest of all.
import type { WireFrame } from '@quayside/protocol'
import type { Response } from 'express'
import type { AgentRuntime } from '../../agents/agent-runtime.js'
import { faultMarker } from '../../agents/wire/frame-faults.js'
import type { SessionReader } from '../../sessions/reading/session-reader.js'
import { goneSignal, keepAlive, roomIn, sendAll } from './download.js'
import type { Exchange, Raw } from './raw.js'

export type WireDeps = { readonly reader: SessionReader; readonly agents: AgentRuntime }

export function wire({ reader, agents }: WireDeps): Pick<Raw, 'session/wire' | 'extension/wire'> {
  return {
    'session/wire': async ({ sessionId, limit, format, follow }, exchange) => {
      const { id } = await reader.requireSummary(sessionId)
      if (follow) {
        const { response } = exchange
        await sendPages(response, agents.wireLog.follow(id, limit, goneSignal(response)))
        return
      }
      const frames = (await agents.wireLog.ofSession(id, limit)).map(faultMarker())
      await sendFrames(exchange, frames, { format, name: `wire-${id}` })
    },
    'extension/wire': ({ limit, format }, exchange) =>
      sendFrames(exchange, agents.wireLog.recent(limit), { format, name: 'wire' }),
  }
}

type Download = { readonly format?: 'json' | 'jsonl' | undefined; readonly name: string }

/** As JSON, or as a file of lines when `format` or `Accept` asks for one. */
async function sendFrames(
  { request, response }: Exchange,
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

/** Lines until the reader closes; empty ones are signs of life. */
async function sendPages(
  response: Response,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  const stopKeepAlive = keepAlive(response, '\n')
  try {
    response.type('application/x-ndjson')
    for await (const page of pages) {
      response.flushHeaders()
      const text = page.map((frame) => `${JSON.stringify(frame)}\n`).join('')
      if (!response.write(text)) await roomIn(response)
    }
    response.end()
  } finally {
    stopKeepAlive()
  }
}

async function* linesOf(frames: readonly WireFrame[]): AsyncGenerator<string> {
  for (const frame of frames) yield `${JSON.stringify(frame)}\n`
}
