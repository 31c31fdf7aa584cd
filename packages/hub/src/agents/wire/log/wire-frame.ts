// One line of an agent's wire traffic. Stored as text; parsed, redacted and attributed to its session only when read.
import type { WireFrame } from '@quayside/protocol'
import { isObject } from '../../../json.js'
import { parseJsonHead } from './json-head.js'
import type { Redactor } from '../redact/redact.js'

export type WireDirection = WireFrame['direction']

/** The process of a line, and its sessions: ACP session ids to the hub's ids. */
export type WireSource = { readonly process: string; readonly sessions: Map<string, string> }

/** `bytes` is -1 until it is computed. */
export type KeptLine = {
  readonly at: number
  readonly direction: WireDirection
  readonly source: WireSource
  text: string
  readonly bytes: number
  readonly cut: boolean
}

const SESSION_CHARS = 8
const MAX_OPEN_REQUESTS = 1_000

/** A copy of the beginning of a long line, because a slice would keep the whole line in memory. */
export function copyOfHead(text: string, chars: number): string {
  return Buffer.from(text.slice(0, chars)).toString()
}

/** Decodes the lines of one process in order: a response is attributed to a session by its request. */
export class WireReader {
  readonly #redactor: Redactor
  readonly #openRequests = new Map<string, string>()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  read(line: KeptLine): WireFrame {
    const { at, direction, source, cut } = line
    const text = cut ? this.#redactor.trimCut(line.text) : line.text
    const message = direction === 'stderr' ? undefined : parse(text, cut)
    const acpSessionId = isObject(message) ? this.#sessionOf(message, direction) : undefined
    const sessionId = acpSessionId && (source.sessions.get(acpSessionId) ?? acpSessionId)
    return {
      at,
      direction,
      process: source.process,
      ...(sessionId === undefined ? {} : nameSession(sessionId)),
      frame:
        message === undefined
          ? this.#redactor.redact(text.trimEnd())
          : this.#redactor.redactValue(message),
      bytes: line.bytes === -1 ? Buffer.byteLength(line.text) : line.bytes,
      ...(cut ? { cut } : {}),
    }
  }

  #sessionOf(message: object, direction: WireDirection): string | undefined {
    const { id, method, params, result } = message as Record<string, unknown>
    const own = sessionIdIn(params) ?? sessionIdIn(result)
    if (typeof id !== 'number' && typeof id !== 'string') return own
    if (method === undefined) {
      const request = `${direction === 'in' ? 'out' : 'in'} ${id}`
      const asked = this.#openRequests.get(request)
      this.#openRequests.delete(request)
      return own ?? asked
    }
    const isFull = this.#openRequests.size >= MAX_OPEN_REQUESTS
    if (own !== undefined && !isFull) this.#openRequests.set(`${direction} ${id}`, own)
    return own
  }
}

export function nameSession(sessionId: string): Pick<WireFrame, 'session' | 'sessionId'> {
  return { session: sessionId.slice(0, SESSION_CHARS), sessionId }
}

/** Lines without a session id (initialize, stderr) belong to the process's session, if it has only one. */
export function belongsTo(wanted: string, line: KeptLine, { sessionId }: WireFrame): boolean {
  return sessionId === undefined ? line.source.sessions.size === 1 : sessionId === wanted
}

function sessionIdIn(fields: unknown): string | undefined {
  if (!isObject(fields)) return undefined
  const { sessionId } = fields
  return typeof sessionId === 'string' ? sessionId : undefined
}

function parse(text: string, cut: boolean): unknown {
  if (cut) return parseJsonHead(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
