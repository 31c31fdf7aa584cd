// Commands to the hub: JSON over HTTP, with the hub's errors thrown as ClientError.
import type { CallInput, CallOutput, CommandAddress, NameAt } from '@quayside/protocol'
import { abortedBy, ClientError, clientErrorFrom, unreachable } from './client-error.js'
import { withoutUndefined } from './without-undefined.js'

/** The credentials of a request. Rejects when there are none, or at `signal`. */
export type AccessHeaders = (signal: AbortSignal) => Promise<Record<string, string>>

type HttpOptions = {
  readonly url: string
  readonly headers: AccessHeaders
  readonly fetch: typeof globalThis.fetch
}

export type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON, unless `type` says what the bytes are. */
  readonly body?: unknown
  readonly type?: string
  readonly signal?: AbortSignal | undefined
}

export type Abortable = { readonly signal?: AbortSignal | undefined }

/** Starting an agent is what takes longest: the hub itself gives up on it after a minute. */
const TIMEOUT_MS = 120_000

const NOT_KNOWN = ' It is not known whether the request arrived.'

export class Http {
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.#options = options
  }

  /** Runs the command at an address such as `POST /api/sessions/{sessionId}/prompt`. `commandsOf` calls commands by their names. */
  call<At extends CommandAddress>(
    address: At,
    input: CallInput<NameAt<At>>,
    { signal }: Abortable = {},
  ): Promise<CallOutput<NameAt<At>>> {
    const { path, ...request } = requestOf(address, input)
    return this.send(path, { ...request, signal })
  }

  send<T>(path: string, request: Request): Promise<T> {
    return this.#ask(path, request, (text) => JSON.parse(text === '' ? 'null' : text) as T)
  }

  /** The body of the answer as text. */
  text(path: string): Promise<string> {
    return this.#ask(path, { method: 'GET' }, (text) => text)
  }

  async #ask<T>(
    path: string,
    { method, body, type, signal }: Request,
    read: (text: string) => T,
  ): Promise<T> {
    const { url, headers, fetch } = this.#options
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const ending = signal ? AbortSignal.any([signal, timeout]) : timeout
    const access = await headers(ending)
    try {
      const response = await fetch(new URL(path, url), {
        method,
        headers: {
          accept: 'application/json',
          'content-type': type ?? 'application/json',
          ...access,
        },
        signal: ending,
        ...(body !== undefined && { body: type ? (body as BodyInit) : JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw clientErrorFrom(response.status, text)
      return read(text)
    } catch (cause) {
      if (cause instanceof ClientError) throw cause
      if (signal?.aborted) throw abortedBy(signal)
      throw unreachable(method === 'GET' ? '' : NOT_KNOWN, cause)
    }
  }
}

/** The names in the path are taken out of the input; the rest is the query, or the body. */
export function requestOf(address: CommandAddress, input: object) {
  const rest = { ...input } as Record<string, string>
  const filled = address.replace(/{(\w+)}/g, (_, name: string) => {
    const value = rest[name] ?? ''
    delete rest[name]
    return encodeURIComponent(value)
  })
  const [method, path] = filled.split(' ') as [Request['method'], string]
  return method === 'GET' || method === 'DELETE'
    ? { method, path: path + queryOf(rest) }
    : { method, path, body: rest }
}

function queryOf(fields: object): string {
  const query = String(new URLSearchParams(withoutUndefined(fields) as Record<string, string>))
  return query && `?${query}`
}
