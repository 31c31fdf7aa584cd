// A streamed response is handed over while it arrives, and has the errors of any other request.
import { expect, test } from 'vitest'
import { streamResponse } from './stream-response.js'

const hub = { url: 'http://hub', token: 't1' }

test('the body is handed over as it arrives, with the credentials of the caller', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const requests: (RequestInit | undefined)[] = []
  const fetch: typeof globalThis.fetch = async (_url, request) => {
    requests.push(request)
    return new Response(readable)
  }

  const body = await streamResponse('/api/long', { ...hub, fetch })
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('line')).then(() => writer.close())

  expect(await new Response(body).text()).toBe('line')
  expect(requests[0]?.headers).toEqual({ authorization: 'Bearer t1' })
})

test('a refusal, a lost hub and an abort are ClientErrors', async () => {
  const error = { code: 'session_not_found', message: 'No such session.' }
  const refuse = async () => Response.json({ error }, { status: 404 })
  await expect(streamResponse('/api/gone', { ...hub, fetch: refuse })).rejects.toMatchObject(error)

  const fail = async () => {
    throw new TypeError('fetch failed')
  }
  const lost = streamResponse('/api/long', { ...hub, fetch: fail })
  await expect(lost).rejects.toMatchObject({ code: 'unreachable' })
  const signal = AbortSignal.abort()
  const aborted = streamResponse('/api/long', { ...hub, fetch: fail, signal })
  await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
})
