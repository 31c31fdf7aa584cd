// Serves the page like a hub, with its policy; a scripted hub answers its API. Ends with the process.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ScriptedHub } from '@quayside/client/testing'
import express, { type RequestHandler } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import { pageRoutes, securityHeaders } from '../src/http/raw/page.js'
import { WEB_FOLDER } from '../src/places.js'

/** The scripted hub of the browser that has sent a request, if any. */
type HubOf = (request: IncomingMessage) => ScriptedHub | undefined

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Returns its origin. */
export async function servePage(hubOf: HubOf): Promise<string> {
  const app = express().use(securityHeaders(), scriptedApi(hubOf), pageRoutes(WEB_FOLDER))
  const server = createServer(app)
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const hub = hubOf(request)
    if (hub?.isUp) sockets.handleUpgrade(request, socket, head, (browser) => join(browser, hub))
    else socket.destroy()
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function scriptedApi(hubOf: HubOf): RequestHandler {
  return async (request, response, next) => {
    const hub = /^\/(api|media)\//.test(request.path) ? hubOf(request) : undefined
    if (hub === undefined) return next()
    response.setHeader('Cache-Control', 'no-store')
    if (request.path.startsWith('/media/')) return response.type('png').send(PIXEL)
    const body = (await buffer(request)).toString('utf8')
    // As without a network.
    if (!hub.isUp) return request.socket.destroy()
    const { method, url } = request
    const answer = await hub.fetch(new URL(url, hub.url), { method, ...(body !== '' && { body }) })
    response
      .status(answer.status)
      .type('json')
      .send(await answer.text())
  }
}

function join(browser: WebSocket, hub: ScriptedHub): void {
  const socket = new hub.WebSocket('ws://hub.test/ws', { headers: {} })
  const ready = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()))
  socket.addEventListener('message', ({ data }) => browser.send(String(data)))
  socket.addEventListener('close', () => browser.close())
  browser.on('message', (data: Buffer) => void ready.then(() => socket.send(String(data))))
}
