// Signing in to an agent in a browser may take longer than the start of an agent, and longer than one request.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExtensionsFolder, manifest } from './extensions-folder.js'
import { startTestHub } from './test-hub.js'

/** Its `authenticate` is answered when the file `signed-in` exists, in place of a page in a browser. */
const AT_BROWSER = `
const { existsSync } = require('node:fs')
const lines = require('node:readline').createInterface({ input: process.stdin })
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const authMethods = [{ id: 'browser', name: 'Browser' }]
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {}, authMethods })
  if (method !== 'authenticate') return
  const look = setInterval(() => {
    if (!existsSync(process.env.SIGNED_IN)) return
    clearInterval(look)
    answer(id, {})
  }, 20)
})`

const MUTE = 'process.stdin.resume()'

test('a person who signs in at a browser may take longer than an agent may take to start', async () => {
  using folder = new ExtensionsFolder()
  const signedIn = join(folder.path, 'signed-in')
  const agent = (script: string) => ({
    agent: { command: '${NODE}', args: ['-e', script], env: { SIGNED_IN: signedIn } },
  })
  folder.write('browser/manifest.json', manifest('browser', agent(AT_BROWSER)))
  folder.write('mute/manifest.json', manifest('mute', agent(MUTE)))
  folder.register('browser', 'mute')
  const env = { QUAYSIDE_EXTENSIONS: folder.path, AGENT_START_TIMEOUT: '5' }
  await using hub = await startTestHub({ env })

  const signIn = () => hub.post('/api/extensions/browser/authenticate', { methodId: 'browser' })
  const [first, second] = [signIn(), signIn()]
  // The start timeout has passed when the mute agent has failed.
  await hub.post('/api/extensions/mute/probe', {})
  expect((await hub.get<{ processes: unknown[] }>('/api/processes')).processes).toHaveLength(1)
  writeFileSync(signedIn, '')

  for (const answer of [await first, await second])
    expect([answer.status, await answer.json()]).toEqual([200, { authenticated: true }])
})
