// What an agent answers, asks or says of itself may be heavy in places where nobody expects it.
import { type EventBody, type EventData, type EventType, writeCut } from '@quayside/protocol'
import type { PutMedia } from './data-uris.js'
import { takeMediaOut } from './update-media.js'

const MAX_OUTPUT_CHARS = 256 * 1024
const END_CHARS = 64 * 1024

/** Events that carry an agent's own words besides updates and permissions, which are made light where they come in. */
const FROM_AGENT: ReadonlySet<EventType> = new Set([
  'turn.ended',
  'question.asked',
  'agent.started',
])

export function lightenEvent(body: EventBody, putMedia: PutMedia): EventBody {
  if (!FROM_AGENT.has(body.type)) return body
  return { type: body.type, data: takeMediaOut(body.data, putMedia) } as EventBody
}

/** Of a long output the end stays: there it says how the command went. All of it becomes media. */
export function lightenExit(
  exit: EventData['terminal.exited'],
  putMedia: PutMedia,
): EventData['terminal.exited'] {
  const { output = '' } = exit
  if (output.length <= MAX_OUTPUT_CHARS) return takeMediaOut(exit, putMedia)
  const whole = Buffer.from(output)
  const place = { media: putMedia('text/plain', whole), bytes: whole.length }
  // Never from the middle of a surrogate pair.
  const text = output.slice(-END_CHARS).replace(/^[\uDC00-\uDFFF]/, '')
  return { ...exit, output: writeCut({ text, is: 'end', ...place }) }
}
