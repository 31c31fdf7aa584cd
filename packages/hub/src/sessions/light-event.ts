// What an agent answers, asks or says of itself may be heavy in places where nobody expects it.
import type { EventBody, EventType } from '@quayside/protocol'
import type { PutMedia } from './data-uris.js'
import { takeMediaOut } from './update-media.js'

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
