// HTTP and WebSockets to a hub on this machine that serves TLS: they trust the certificate in its hub.json and no other.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import type { AgentChatClientOptions } from '@quayside/client'
import { WebSocket } from 'ws'

type TrustOptions = Pick<ConnectionOptions, 'ca' | 'allowPartialTrustChain' | 'checkServerIdentity'>
type Fetch = typeof globalThis.fetch
type WebSocketConstructor = NonNullable<AgentChatClientOptions['WebSocket']>
type SocketOptions = { readonly headers: Record<string, string> }

/** The name is not checked: the certificate alone identifies the hub, and a given one may name another host than this. */
export function trustOptions(certificate: string): TrustOptions {
  return {
    ca: certificate,
    // The hub's own certificate is trusted also when an authority has signed it.
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
  }
}

export function webSocketTrusting(certificate: string): WebSocketConstructor {
  return class extends WebSocket {
    constructor(url: string, options: SocketOptions) {
      // Its type of `checkServerIdentity` is another than Node's, which gets it.
      super(url, { ...options, ...(trustOptions(certificate) as object) })
    }
  }
}

/** The global one takes no certificates. */
export function fetchTrusting(certificate: string): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { url, method, headers, signal } = request
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const options = { method, headers: Object.fromEntries(headers), signal }
    const sent = requestHttps(url, { ...options, ...trustOptions(certificate) })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return responseOf(answer)
  }
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 500, headersDistinct } = answer
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  const isEmpty = status === 204 || status === 304
  if (isEmpty) answer.resume()
  const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}
