// Records the frames between an agent and the hub in wire order, for probes and the agent check.
import { isObject, type JsonObject } from '../../../json.js'
import { type Frame, parseLine } from '../frames.js'
import type { WireTap } from './wire-log.js'

export type RecordedFrame = {
  readonly direction: 'in' | 'out'
  readonly is: Exclude<Frame['is'], 'junk'>
  readonly message: JsonObject
}

/** A response and its index in the recording. */
export type RecordedAnswer = { readonly at: number; readonly message: JsonObject }

export type RecordedUpdate = {
  readonly at: number
  readonly sessionId: string
  readonly kind: string
  readonly update: JsonObject
}

/** Limit of the recording, for agents that flood. */
const MAX_FRAMES = 50_000
const MAX_JUNK = 5

export class WireRecording {
  readonly frames: RecordedFrame[] = []
  /** The first lines that are not JSON-RPC. */
  readonly junk: string[] = []
  #junkLines = 0
  readonly #asked = new Set<unknown>()

  readonly tap: WireTap = (direction, text) => {
    if (direction === 'stderr') return
    for (const frame of parseLine({ text, tooLong: false })) this.#record(direction, frame)
  }

  get junkLines(): number {
    return this.#junkLines
  }

  /** The index of the next frame. */
  get end(): number {
    return this.frames.length
  }

  /** The answer to the last request with this method that was sent at `since` or later. */
  findAnswer(method: string, since = 0): RecordedAnswer | undefined {
    const asked = this.frames.findLastIndex(
      ({ direction, message }, at) =>
        at >= since && direction === 'out' && message['method'] === method,
    )
    if (asked < 0) return undefined
    const id = this.frames[asked]?.message['id']
    const at = this.frames.findIndex(
      ({ direction, is, message }, at) =>
        at > asked &&
        direction === 'in' &&
        is === 'response' &&
        String(message['id']) === String(id),
    )
    const message = this.frames[at]?.message
    return message && { at, message }
  }

  /** The updates of all sessions, or of one. */
  updates(since = 0, acpSessionId?: string): RecordedUpdate[] {
    return this.frames.slice(since).flatMap(({ direction, message }, index) => {
      if (direction !== 'in' || message['method'] !== 'session/update') return []
      const { sessionId, update } = isObject(message['params']) ? message['params'] : {}
      if (!isObject(update) || typeof sessionId !== 'string') return []
      if (acpSessionId !== undefined && sessionId !== acpSessionId) return []
      return [{ at: since + index, sessionId, kind: String(update['sessionUpdate']), update }]
    })
  }

  #record(direction: 'in' | 'out', frame: Frame): void {
    if (frame.is === 'junk') return this.#keepJunk(frame.text)
    const { id } = frame.message
    if (direction === 'out' && frame.is === 'request') this.#asked.add(String(id))
    if (direction === 'in' && frame.is === 'response' && !this.#asked.delete(String(id)))
      this.#keepJunk(`an answer to no request: ${JSON.stringify(id ?? null).slice(0, 100)}`)
    if (this.frames.length < MAX_FRAMES)
      this.frames.push({ direction, is: frame.is, message: frame.message })
  }

  #keepJunk(text: string): void {
    this.#junkLines += 1
    if (this.junk.length < MAX_JUNK) this.junk.push(text)
  }
}

/** The visible text of these updates. */
export function messageTextIn(
  updates: readonly RecordedUpdate[],
  kinds = ['agent_message_chunk'],
): string {
  return updates
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ update }) => (isObject(update['content']) ? update['content']['text'] : ''))
    .filter((text) => typeof text === 'string')
    .join('')
}
