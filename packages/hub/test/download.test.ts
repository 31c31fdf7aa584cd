// Long responses over a real connection are sent no faster than they are read, and stop when the reader disconnects.
import { EventEmitter, once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { errorResponse } from '../src/http/error-response.js'
import { fileNameOf, goneSignal, sendAll } from '../src/http/raw/download.js'
import { createLog } from '../src/log.js'

const MEGABYTE = 'x'.repeat(1024 * 1024)

/** Serves an endless response and counts its bytes. */
async function startEndless() {
  const seen = { made: 0, isStopped: false, isGone: false }
  const work = new EventEmitter()
  const stopped = once(work, 'stopped')
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        seen.made += 1
        yield MEGABYTE
      }
    } finally {
      seen.isStopped = true
      work.emit('stopped')
    }
  }
  const app = express()
  app.get('/', async (_request, response) => {
    goneSignal(response).addEventListener('abort', () => (seen.isGone = true))
    await sendAll(response, endless())
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, seen, stopped, port: (server.address() as AddressInfo).port }
}

test('a reader that goes stops the work, and one that reads nothing costs little', async () => {
  const { server, seen, stopped, port } = await startEndless()
  const request = get({ port, host: '127.0.0.1' })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response, 'readable')
  expect(seen.made).toBeLessThan(200)
  expect(seen.isStopped).toBe(false)
  response.destroy()
  await stopped
  expect(seen.isGone).toBe(true)
  server.close()
})

test.each([
  ['before anything is sent', 0, 500],
  ['in the middle', 3, undefined],
])('an error %s is no complete answer', async (_when, parts, status) => {
  async function* failing(): AsyncGenerator<string> {
    for (let part = 0; part < parts; part += 1) yield MEGABYTE
    throw new Error('the disk is gone')
  }
  const app = express()
  app.get('/', (_request, response) => sendAll(response.type('json'), failing()))
  app.use(errorResponse(createLog('silent')))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = fetch(`http://127.0.0.1:${port}/`).then(async (response) => {
    await response.text()
    return response.status
  })
  if (status === undefined) await expect(answer).rejects.toThrow()
  else expect(await answer).toBe(status)
  server.close()
})

test.each([
  [null, 'session-0198c0de-1'],
  ['', 'session-0198c0de-1'],
  ['../../etc/passwd', 'etc-passwd-98c0de-1'],
  ['a\r\nSet-Cookie: x="y"; \u202Egnp.exe', 'a-Set-Cookie-x-y-gnp-exe-98c0de-1'],
  ['Größe 漢字 👍', 'Größe-漢字-98c0de-1'],
  ['w'.repeat(300), `${'w'.repeat(60)}-98c0de-1`],
])('%j becomes a file name that every system takes', (title, name) => {
  expect(fileNameOf(title, '0198c0de-1')).toBe(name)
})
