// Reads a response of a hub while it arrives: an export of a long session, or a log that is followed. For programs with a token.
import { abortedBy, ClientError, clientErrorFrom } from '../connection/client-error.js'
import type { AgentChatClientOptions } from '../client.js'

export type StreamOptions = Pick<AgentChatClientOptions, 'url' | 'fetch'> & {
  readonly token: string
  readonly signal?: AbortSignal | undefined
}

/** The body of a GET request. Throws ClientError like every other request; has no time limit but `signal`. */
export async function streamResponse(
  path: string,
  { url, token, fetch = globalThis.fetch, signal }: StreamOptions,
): Promise<NonNullable<Response['body']>> {
  const request = {
    headers: { authorization: `Bearer ${token}` },
    ...(signal && { signal }),
  }
  const response = await fetch(new URL(path, url), request).catch((cause: unknown) => {
    if (signal?.aborted) throw abortedBy(signal)
    throw new ClientError('unreachable', 'The hub could not be reached.', { cause })
  })
  if (!response.ok) throw clientErrorFrom(response.status, await response.text())
  return response.body ?? new ReadableStream()
}
