// The files of the page over HTTP: compressed copies, caching, and assets that do not exist.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageRoutes } from './page.js'

const SCRIPT = 'export const answer = 42\n'
const folder = mkdtempSync(join(tmpdir(), 'quayside-page-'))
const server = createServer()

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  const files = {
    'index.html': '<!doctype html>',
    'assets/page-abc.js.br': brotliCompressSync(SCRIPT),
    'assets/bare-abc.js': SCRIPT,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  server.on('request', express().use(pageRoutes(folder)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

async function request(path: string, accepted = '') {
  const { port } = server.address() as AddressInfo
  const headers = { 'accept-encoding': accepted }
  const [response] = (await once(get({ port, path, headers, agent: false }), 'response')) as [
    IncomingMessage,
  ]
  return { ...response.headers, status: response.statusCode, body: await buffer(response) }
}

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['', undefined, (body: Buffer) => body],
])('a browser that accepts %j gets the script as %s', async (accepted, encoding, decode) => {
  const answer = await request('/assets/page-abc.js', accepted)
  expect(answer['content-encoding']).toBe(encoding)
  expect(answer['content-type']).toContain('javascript')
  expect(answer.vary).toContain('Accept-Encoding')
  expect(decode(answer.body).toString()).toBe(SCRIPT)
})

test('an asset without copies is served as it is', async () => {
  const answer = await request('/assets/bare-abc.js', 'br')
  expect(answer['content-encoding']).toBeUndefined()
  expect(answer.body.toString()).toBe(SCRIPT)
})

test('assets are cached for good, the page is not', async () => {
  for (const accepted of ['br', 'gzip'])
    expect((await request('/assets/page-abc.js', accepted))['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    )
  expect((await request('/'))['cache-control']).toBe('public, max-age=0')
})

test('an asset that does not exist is not answered with the page', async () => {
  const { status, body } = await request('/assets/gone-abc.js', 'br')
  expect(status).not.toBe(200)
  expect(body.toString()).not.toBe('<!doctype html>')
  expect((await request('/s/some-session')).body.toString()).toBe('<!doctype html>')
})
