// Replays recorded wire traffic: matches requests with responses, builds the sessions, and collects oddities.
import type { Quirks } from '../../agents/extensions/quirks.js'
import type { JsonObject } from '../../json.js'
import type { Frame } from '../../agents/wire/frames.js'
import { isObject } from '../../json.js'
import { type Ending, ReplayedSession } from './replayed-session.js'
import type { RecordedFrame } from './recorded-frames.js'

export type Oddity = { readonly line: number; readonly kind: string; readonly message: string }

const MAX_ODDITIES = 1_000

type Request = {
  readonly line: number
  readonly method: string
  readonly direction: 'in' | 'out'
  readonly params: JsonObject
  readonly session?: ReplayedSession
  readonly end?: Ending
}

/** Returns the quirks of a process, by its name in the file, or by the name that its agent reports. */
export type FindQuirks = (process: string, agentName: string | undefined) => Quirks

export class WireReplay {
  readonly #findQuirks: FindQuirks
  /** The names in the responses to `initialize`, by process. */
  readonly #agentNames = new Map<string, string>()
  readonly #open = new Map<string, Request>()
  readonly sessions = new Map<string, ReplayedSession>()
  readonly frames = new Map<string, number>()
  readonly updates = new Map<string, number>()
  /** The first thousand; `oddityCounts` counts all. */
  readonly oddities: Oddity[] = []
  readonly oddityCounts = new Map<string, number>()

  #lastAt = 0

  constructor(findQuirks: FindQuirks) {
    this.#findQuirks = findQuirks
  }

  take(recorded: RecordedFrame): void {
    const { frame, line } = recorded
    count(this.frames, frame.is)
    this.#lastAt = recorded.at
    if (recorded.isCut) this.#note(line, 'cut', 'only the beginning of this frame was recorded')
    switch (frame.is) {
      case 'request':
        return this.#request(recorded, frame.message)
      case 'response':
        return this.#response(recorded, frame.message)
      case 'notification':
        return this.#notification(recorded, frame)
      case 'dropped':
        return this.#note(line, 'dropped', `${frame.count} frames were not recorded here`)
      case 'junk':
        return this.#note(line, 'junk', `${frame.reason}: ${frame.text}`)
    }
  }

  /** At the end of the file: reports requests without a response and sessions that were never opened. */
  finish(): void {
    for (const { line, method } of this.#open.values())
      this.#note(line, 'unanswered', `${method} was never answered`)
    for (const session of this.sessions.values()) {
      session.finish(this.#lastAt)
      if (session.isOpened) continue
      const message = `no request in this file opens the session ${session.acpSessionId}`
      this.#note(session.firstLine, 'unknown_session', message)
    }
    this.oddities.sort((a, b) => a.line - b.line)
  }

  #request(recorded: RecordedFrame, message: JsonObject): void {
    const { line, process } = recorded
    const method = String(message['method'])
    const params = fieldsOf(message['params'])
    const direction = recorded.direction ?? directionOf(method)
    const session = this.#sessionOf(params['sessionId'], recorded)
    const request = { line, method, params, direction, ...(session && { session }) }
    const end = session && this.#begin(request, session, recorded)
    this.#open.set(keyOf(process, direction, message['id']), { ...request, ...(end && { end }) })
  }

  /** Applies a request to its session, before the response. */
  #begin({ method, params, line }: Request, session: ReplayedSession, { at }: RecordedFrame) {
    switch (method) {
      case 'session/prompt':
        if (session.isWorking)
          this.#note(line, 'second_prompt', 'a prompt while another one is running')
        return session.prompt(params['prompt'], at)
      case 'session/request_permission':
        return session.ask(params, at)
      case 'elicitation/create':
        return session.question(params, at)
      case 'session/load':
        session.startReplay()
        return undefined
      default:
        return undefined
    }
  }

  #response(recorded: RecordedFrame, message: JsonObject): void {
    const { line, at, process } = recorded
    const key = this.#findRequestKey(recorded, message['id'])
    const request = key === undefined ? undefined : this.#open.get(key)
    if (key === undefined || request === undefined) {
      this.#note(line, 'unexpected_response', 'a response to no request in this file')
      return
    }
    this.#open.delete(key)
    const result = fieldsOf(message['result'])
    const error = isObject(message['error']) ? message['error'] : undefined
    const { method, session, end, params } = request
    end?.(result, error, at)
    const { replayEndsWith } = this.#quirksOf(process)
    if (method === 'session/load') session?.endReplay(error ? undefined : replayEndsWith)
    if (error !== undefined) return
    if (method === 'initialize') this.#learnName(process, result['agentInfo'])
    if (method === 'session/new')
      this.#sessionOf(result['sessionId'], recorded)?.open('new', result, at)
    if (method === 'session/load') session?.open('load', result, at)
    if (method === 'session/resume') session?.open('resume', result, at)
    if (method === 'terminal/output' && typeof result['output'] === 'string')
      session?.terminals.set(String(params['terminalId']), result['output'])
  }

  #notification(
    recorded: RecordedFrame,
    { message, method }: Frame & { is: 'notification' },
  ): void {
    if (method !== 'session/update') return
    const { line, at } = recorded
    const { sessionId, update } = fieldsOf(message['params'])
    const session = this.#sessionOf(sessionId, recorded)
    if (session === undefined || !isObject(update) || typeof update['sessionUpdate'] !== 'string') {
      this.#note(line, 'unreadable_update', 'an update without a session or a kind')
      return
    }
    const kind = update['sessionUpdate']
    count(this.updates, kind)
    for (const odd of session.update({ ...update, sessionUpdate: kind }, at))
      this.#note(line, odd.kind, odd.message)
  }

  /** For lines without a direction, the newest open request with this id. */
  #findRequestKey({ process, direction }: RecordedFrame, id: unknown): string | undefined {
    const sides = direction === 'in' ? ['out'] : direction === 'out' ? ['in'] : ['in', 'out']
    const keys = sides.map((side) => keyOf(process, side, id)).filter((key) => this.#open.has(key))
    return keys.toSorted((a, b) => this.#lineOf(b) - this.#lineOf(a))[0]
  }

  #lineOf(key: string): number {
    return this.#open.get(key)?.line ?? 0
  }

  #learnName(process: string, agentInfo: unknown): void {
    const { name } = fieldsOf(agentInfo)
    if (typeof name === 'string') this.#agentNames.set(process, name)
  }

  #quirksOf(process: string): Quirks {
    return this.#findQuirks(process, this.#agentNames.get(process))
  }

  #sessionOf(acpSessionId: unknown, { line, process }: RecordedFrame): ReplayedSession | undefined {
    if (typeof acpSessionId !== 'string') return undefined
    const known = this.sessions.get(acpSessionId)
    if (known !== undefined) return known
    const session = new ReplayedSession(acpSessionId, line, this.#quirksOf(process))
    this.sessions.set(acpSessionId, session)
    return session
  }

  #note(line: number, kind: string, message: string): void {
    count(this.oddityCounts, kind)
    if (this.oddities.length < MAX_ODDITIES) this.oddities.push({ line, kind, message })
  }
}

/** As text, because some agents return a numeric id as a string. */
function keyOf(process: string, direction: string, id: unknown): string {
  return `${process} ${direction} ${String(id)}`
}

function directionOf(method: string): 'in' | 'out' {
  const fromAgent = /^(?:fs|terminal|elicitation)\/|^session\/(?:update|request_permission)$/
  return fromAgent.test(method) ? 'in' : 'out'
}

/** A Map, because agents choose the names. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
