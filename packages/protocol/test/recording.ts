// Turns the recorded wire traffic of a real agent into the events the hub would have logged.
import { readFileSync } from 'node:fs'
import type {
  EventBody,
  PermissionOption,
  PermissionOutcome,
  SessionEvent,
  SessionModes,
  SessionUpdate,
  ContentBlock,
  ToolCallFields,
} from '../src/index.js'
import { EventWriter } from './event-writer.js'

type Message = {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly sessionId?: string
    readonly update?: SessionUpdate
    readonly prompt?: readonly ContentBlock[]
    readonly toolCall?: ToolCallFields
    readonly options?: readonly PermissionOption[]
  }
  readonly result?: {
    readonly sessionId?: string
    readonly stopReason?: string
    readonly outcome?: PermissionOutcome
    readonly modes?: SessionModes
  } | null
  readonly error?: { readonly code: number; readonly message: string }
}
type Line = { readonly dir: 'c2a' | 'a2c' | 'event' | 'stderr'; readonly msg: Message }

/** The log of one recorded session: the first that the client opened or loaded. */
export function readRecording(name: string): readonly SessionEvent[] {
  const text = readFileSync(new URL(`../recordings/${name}.jsonl`, import.meta.url), 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  return new Recorder().read(lines)
}

type OpenRequest = {
  readonly method: string
  readonly turnId?: string
  readonly permissionId?: string
}

class Recorder {
  readonly #log = new EventWriter()
  /** The open requests, by direction and id. */
  readonly #open = new Map<string, OpenRequest>()
  #sessionId: string | undefined
  #turns = 0

  read(lines: readonly Line[]): readonly SessionEvent[] {
    for (const { dir, msg } of lines) {
      if (dir !== 'c2a' && dir !== 'a2c') continue
      if (msg.method === undefined) this.#response(dir, msg)
      else if (msg.id === undefined) this.#notification(msg)
      else this.#request(dir, msg)
    }
    return this.#log.events
  }

  #notification({ method, params }: Message): void {
    if (method !== 'session/update' || !params?.update || !this.#isOurs(params.sessionId)) return
    this.#append({ type: 'acp.update', data: { update: params.update } })
  }

  #request(dir: Line['dir'], { id, method = '', params = {} }: Message): void {
    const key = `${dir}:${id}`
    this.#open.set(key, { method })
    if (method === 'session/load') this.#sessionId = params.sessionId
    if (method === 'session/prompt' && this.#isOurs(params.sessionId)) {
      this.#turns += 1
      const turnId = `t${this.#turns}`
      this.#open.set(key, { method, turnId })
      this.#append({ type: 'turn.queued', data: { turnId, prompt: params.prompt ?? [] } })
      this.#append({ type: 'turn.started', data: { turnId } })
    }
    if (!this.#isOurs(params.sessionId)) return
    if (method === 'session/request_permission' && params.toolCall && params.options) {
      this.#open.set(key, { method, permissionId: `p${id}` })
      const { toolCall, options } = params
      const data = { permissionId: `p${id}`, toolCall, options }
      this.#append({ type: 'permission.requested', data })
    }
  }

  #response(dir: Line['dir'], { id, result, error }: Message): void {
    const request = this.#open.get(`${dir === 'c2a' ? 'a2c' : 'c2a'}:${id}`)
    if (request?.method === 'session/new' && this.#sessionId === undefined) this.#started(result)
    if (request?.permissionId !== undefined && result?.outcome) {
      const { permissionId } = request
      const data = { permissionId, outcome: result.outcome, reason: 'answered' } as const
      this.#append({ type: 'permission.resolved', data })
    }
    if (request?.turnId === undefined) return
    const { turnId } = request
    const failure = error && {
      code: 'agent_failed',
      message: error.message,
      details: { acp: error },
    }
    const stopReason = result?.stopReason
    this.#append({
      type: 'turn.ended',
      data: { turnId, ...(failure && { error: failure }), ...(stopReason && { stopReason }) },
    })
  }

  #started(result: Message['result']): void {
    this.#sessionId = result?.sessionId
    const { modes, sessionId: acpSessionId = '' } = result ?? {}
    const data = { acpSessionId, how: 'new', ...(modes && { modes }) } as const
    this.#append({ type: 'agent.started', data })
  }

  #isOurs(sessionId: string | undefined): boolean {
    return this.#sessionId === undefined || sessionId === this.#sessionId
  }

  #append(body: EventBody): void {
    this.#log.append(body)
  }
}
