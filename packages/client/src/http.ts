// Commands and questions to the hub: JSON over HTTP, with the hub's errors thrown as HubError.
import { HubError, hubErrorFrom } from './hub-error.js'

export type HttpOptions = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' }

type Request = { readonly method: string; readonly body?: string }

export class Http {
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.#options = options
  }

  get<T>(path: string): Promise<T> {
    return this.#send<T>(path, { method: 'GET' })
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#send<T>(path, { method: 'POST', body: JSON.stringify(body) })
  }

  delete<T>(path: string): Promise<T> {
    return this.#send<T>(path, { method: 'DELETE' })
  }

  async #send<T>(path: string, init: Request): Promise<T> {
    const { url, headers, fetch } = this.#options
    const response = await fetch(new URL(path, url), {
      ...init,
      headers: { ...JSON_HEADERS, ...headers },
    }).catch((cause: unknown) => {
      throw new HubError('unreachable', 'The hub could not be reached.', { cause })
    })
    const text = await response.text()
    if (!response.ok) throw hubErrorFrom(response.status, text)
    return JSON.parse(text === '' ? 'null' : text)
  }
}
