// Setting an agent up: its installation in a terminal, and its sign-in. Signing in at a browser may take longer than the
// start of an agent, and longer than one request.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Terminal } from '@quayside/protocol'
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

test('an agent is installed in a terminal, by the command of its manifest and no other', async () => {
  using folder = new ExtensionsFolder()
  const program = join(folder.path, 'fresh-agent')
  const install = `printf '#!/bin/sh\\nexit 3\\n' > "${program}" && chmod +x "${program}"`
  folder.write('fresh/manifest.json', manifest('fresh', { agent: { command: program }, install }))
  folder.write('other/manifest.json', manifest('other'))
  folder.register('fresh', 'other')
  await using hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: folder.path } })
  const probe = async () => (await hub.post('/api/extensions/fresh/probe', {})).json()
  expect(await probe()).toMatchObject({ state: 'not_installed', install })

  const response = await hub.post('/api/extensions/fresh/install', {})
  const { id, command, args, repoId } = (await response.json()) as Terminal
  expect([response.status, command, args, repoId]).toEqual([201, '/bin/sh', ['-c', install], null])
  const exit = async () => (await hub.get<Terminal>(`/api/terminals/${id}`)).exit
  await expect.poll(exit).toMatchObject({ exitCode: 0 })
  expect(await probe()).toMatchObject({ state: 'broken' })

  const unknown = await hub.post('/api/extensions/other/install', {})
  expect([unknown.status, await unknown.text()]).toEqual([
    404,
    expect.stringContaining('has no command that installs Agent other'),
  ])
})
