// The raw lines between the hub and its agents, for debugging: of one session, or the newest of all.
import type { WireFrame } from '@quayside/protocol'
import type { Response } from 'express'
import { faultMarker } from '../../agents/wire/frame-faults.js'
import { yieldLoop } from '../../yield-loop.js'
import { goneSignal, keepAlive, roomIn, sendAll } from './download.js'
import type { Exchange, RawRoom } from '../../api/room.js'

const PAGE_CHARS = 64 * 1024

export const wire: RawRoom<'session/wire' | 'extension/wire'> = ({ reader, agents }) => {
  return {
    'session/wire': async ({ sessionId, limit, format, follow }, exchange) => {
      const { id } = await reader.requireSummary(sessionId)
      if (follow) {
        const { response } = exchange
        await sendPages(response, agents.wireLog.follow(id, limit, goneSignal(response)))
        return
      }
      const frames = await agents.wireLog.ofSession(id, limit)
      const mark = faultMarker()
      await sendFrames(exchange, frames, { format, name: `wire-${id}`, mark })
    },
    'extension/wire': ({ limit, format }, exchange) => {
      const frames = agents.wireLog.recent(limit)
      return sendFrames(exchange, frames, { format, name: 'wire', mark: (frame) => frame })
    },
  }
}

type Download = {
  readonly format?: 'json' | 'jsonl' | undefined
  readonly name: string
  readonly mark: (frame: WireFrame) => WireFrame
}

/** As JSON, or as a file of lines when `format` or `Accept` asks for one. */
async function sendFrames(
  { request, response }: Exchange,
  frames: readonly WireFrame[],
  { format, name, mark }: Download,
): Promise<void> {
  const types = ['application/json', 'application/x-ndjson']
  const isWanted = format === undefined && request.accepts(types) === 'application/x-ndjson'
  const isJson = format !== 'jsonl' && !isWanted
  if (isJson) response.type('json')
  else response.attachment(`${name}.jsonl`).type('application/x-ndjson')
  const texts = encodeFrames(frames, mark)
  await sendAll(response, isJson ? jsonOf(texts) : linesOf(texts))
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

/** Yields to other work after each page: there may be thousands of frames, and each is checked. */
async function* encodeFrames(
  frames: readonly WireFrame[],
  mark: Download['mark'],
): AsyncGenerator<string> {
  let chars = 0
  for (const frame of frames) {
    const text = JSON.stringify(mark(frame))
    yield text
    chars += text.length
    if (chars < PAGE_CHARS) continue
    chars = 0
    await yieldLoop()
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`
}

async function* jsonOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = ''
  yield '{"frames":['
  for await (const text of texts) {
    yield separator + text
    separator = ','
  }
  yield ']}'
}
