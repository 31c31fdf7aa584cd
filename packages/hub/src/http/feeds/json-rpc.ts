// JSON-RPC 2.0 as a server speaks it: one frame of text in, the text of its answer out, or nothing for notifications.
import type { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import { toLoggedError } from '../error-response.js'

type RpcId = string | number | null
type RpcRequest = { readonly id?: RpcId; readonly method: string; readonly params: unknown }
type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }

/** Answers with the result; what it throws becomes the error. */
export type CallMethod = (params: unknown) => unknown

export type JsonRpcOptions = {
  readonly find: (method: string) => CallMethod | undefined
  /** Receives each frame first; the returned message is used instead, undefined drops it. */
  readonly onMessage: (message: unknown) => unknown
  readonly log: Log
}

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603
/** Our own codes travel in `data.code`; JSON-RPC leaves this number to servers. */
const HUB_ERROR = -32_000
const MAX_BATCH = 100

export class JsonRpc {
  readonly #options: JsonRpcOptions

  constructor(options: JsonRpcOptions) {
    this.#options = options
  }

  /** Undefined when nothing is to be answered. Never rejects. */
  async answer(text: string): Promise<string | undefined> {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return failure(null, { code: PARSE_ERROR, message: 'The frame is not JSON text.' })
    }
    message = this.#options.onMessage(message)
    if (message === undefined) return undefined
    if (!Array.isArray(message)) return this.#answerOne(message)
    if (message.length === 0) return notARequest()
    if (message.length > MAX_BATCH)
      return failure(null, {
        code: INVALID_REQUEST,
        message: `A batch holds at most ${MAX_BATCH} requests.`,
      })
    const answers = await Promise.all(message.map((one) => this.#answerOne(one)))
    const wanted = answers.filter((answer) => answer !== undefined)
    return wanted.length === 0 ? undefined : `[${wanted.join(',')}]`
  }

  async #answerOne(message: unknown): Promise<string | undefined> {
    const request = toRequest(message)
    if (request === undefined) return notARequest()
    const { id, method, params } = request
    const call = this.#options.find(method)
    const answer = await (call === undefined
      ? failure(id ?? null, {
          code: METHOD_NOT_FOUND,
          message: `There is no method "${method.slice(0, 100)}".`,
        })
      : this.#call(call, id ?? null, params))
    return id === undefined ? undefined : answer
  }

  async #call(call: CallMethod, id: RpcId, params: unknown): Promise<string> {
    try {
      const result = (await call(params)) ?? {}
      return JSON.stringify({ jsonrpc: '2.0', id, result })
    } catch (error) {
      const hubError = toLoggedError(error, this.#options.log)
      return failure(id, {
        code: codeOf(hubError),
        message: hubError.message,
        data: { code: hubError.code, details: hubError.details },
      })
    }
  }
}

function toRequest(message: unknown): RpcRequest | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return undefined
  return { method, params: params ?? {}, ...(id === undefined ? {} : { id }) }
}

function notARequest(): string {
  return failure(null, { code: INVALID_REQUEST, message: 'Not a JSON-RPC 2.0 request.' })
}

function codeOf(error: HubError): number {
  if (error.code === 'bad_request') return INVALID_PARAMS
  return error.code === 'internal' ? INTERNAL_ERROR : HUB_ERROR
}

function failure(id: RpcId, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
