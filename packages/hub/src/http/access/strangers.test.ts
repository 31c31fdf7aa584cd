// A body that does not end closes the connection of a stranger, and of nobody else.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Strangers } from './strangers.js'

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n'

async function listen(strangers: Strangers): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) strangers.admit(request.socket)
    request.resume().once('end', () => response.end('whole'))
  })
  strangers.watch(server)
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function begin(server: Server, head: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const arrived = once(server, 'request')
  socket.on('error', () => undefined).write(`${head}\r\n{`)
  await arrived
  return socket
}

test('the body of a stranger has its time, that of a caller with a sign-in has not', async () => {
  const server = await listen(new Strangers({ bodyMs: 20 }))
  const signedIn = await begin(server, `${HEAD}Authorization: x\r\n`)
  const stranger = await begin(server, HEAD)
  await once(stranger.resume(), 'close')
  signedIn.write('}')
  const [answer] = (await once(signedIn, 'data')) as [Buffer]
  expect(answer.toString()).toContain('whole')
})

test('a stranger that answers in time keeps its connection', async () => {
  const server = await listen(new Strangers({ bodyMs: 600_000 }))
  const stranger = await begin(server, HEAD)
  stranger.write('}')
  const [answer] = (await once(stranger, 'data')) as [Buffer]
  expect(answer.toString()).toContain('whole')
})
