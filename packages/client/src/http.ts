// Commands and questions to the hub: JSON over HTTP, with the hub's errors thrown as ClientError.
import { abortedBy, ClientError, clientErrorFrom } from './client-error.js'

/** What lets a request in. Rejects when that cannot be had, or at `signal`. */
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

/** Starting an agent is what takes longest: the hub itself gives up on it after a minute. */
const TIMEOUT_MS = 120_000

const NOT_REACHED = 'The hub could not be reached.'
const NOT_KNOWN = `${NOT_REACHED} It is not known whether the request arrived.`

export class Http {
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.#options = options
  }

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.send<T>(path, { method: 'GET', signal })
  }

  post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
    return this.send<T>(path, { method: 'POST', body, signal })
  }

  send<T>(path: string, request: Request): Promise<T> {
    return this.#ask(path, request, (text) => JSON.parse(text === '' ? 'null' : text) as T)
  }

  /** What is answered, as it is. */
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
      throw new ClientError('unreachable', method === 'GET' ? NOT_REACHED : NOT_KNOWN, { cause })
    }
  }
}
