// Serves the page as a hub does, with its policy and without anything behind it; ends with the process.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { pageRoutes, securityHeaders } from '../src/http/raw/page.js'
import { WEB_FOLDER } from '../src/places.js'

/** The origin that it is at. */
export async function servePage(): Promise<string> {
  const server = createServer(express().use(securityHeaders(), pageRoutes(WEB_FOLDER)))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
