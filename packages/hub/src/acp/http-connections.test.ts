// A connection over HTTP is idle only without an open request for a while.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server'
import { expect, test } from 'vitest'
import { HttpConnections } from './http-connections.js'

const ID = '0190a0a0-0000-7000-8000-000000000000'
const LATER = 10 * 60_000

function exchange(headers: Record<string, string>): [IncomingMessage, ServerResponse] {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  return [request, new ServerResponse(request)]
}

test('a connection is idle when it has had no open request for a while', () => {
  const server = new AcpServer({ createAgent: () => ({ connect: () => undefined }) })
  const connections = new HttpConnections(server)
  const [first, answer] = exchange({})
  connections.serve(first, answer)
  answer.setHeader('Acp-Connection-Id', ID)
  answer.emit('close')
  expect(connections.idle(performance.now())).toEqual([])
  expect(connections.idle(performance.now() + LATER)).toEqual([ID])

  const [listen, stream] = exchange({ 'acp-connection-id': ID })
  connections.serve(listen, stream)
  expect(connections.idle(performance.now() + LATER)).toEqual([])
  stream.emit('close')
  expect(connections.idle(performance.now() + LATER)).toEqual([ID])
  connections.close()
})
