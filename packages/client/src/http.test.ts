// A streamed response has the headers and errors of any other request, and no time limit once it has begun.
import { afterEach, expect, test, vi } from 'vitest'
import { Http } from './http.js'

afterEach(() => void vi.useRealTimers())

const open = (fetch: typeof globalThis.fetch) =>
  new Http({ url: 'http://hub', headers: async () => ({ authorization: 'Bearer t1' }), fetch })

test('a stream hands over the body as it arrives, beyond the time limit of a request', async () => {
  vi.useFakeTimers()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const requests: (RequestInit | undefined)[] = []
  const http = open(async (_url, request) => {
    requests.push(request)
    return new Response(readable)
  })

  const body = await http.stream('/api/long')
  vi.advanceTimersByTime(600_000)
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('line')).then(() => writer.close())

  expect(await new Response(body).text()).toBe('line')
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer t1' })
  expect(requests[0]?.signal?.aborted).toBe(false)
})

test('a stream that is refused, or never begins, is a ClientError', async () => {
  const error = { code: 'session_not_found', message: 'No such session.' }
  const refusing = open(async () => Response.json({ error }, { status: 404 }))
  await expect(refusing.stream('/api/gone')).rejects.toMatchObject(error)

  const unreachable = open(async () => {
    throw new TypeError('fetch failed')
  })
  await expect(unreachable.stream('/api/long')).rejects.toMatchObject({ code: 'unreachable' })
})
