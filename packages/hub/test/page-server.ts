// Serves the page like a hub, with its policy but without an API; ends with the process.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { pageRoutes, securityHeaders } from '../src/http/raw/page.js'
import { WEB_FOLDER } from '../src/places.js'

/** Returns its origin. */
export async function servePage(): Promise<string> {
  const server = createServer(express().use(securityHeaders(), pageRoutes(WEB_FOLDER)))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
