// Updates for an ACP client while a turn runs, the place of its sessions, and the count of its connections.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewSessionRequest } from '@agentclientprotocol/sdk'
import type { SessionSummary } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { AcpStage, selected } from './acp-stage.js'
import { type AcpTestClient, httpStream } from './acp-test-client.js'

const stage = AcpStage.forFile()

test('the output of a command is sent while it runs, and never after its end', async () => {
  const client = await stage.connect()
  client.onPermission = () => Promise.resolve(selected('allow_once'))
  writeFileSync(
    join(stage.cwd, 'patient.mjs'),
    `import { existsSync } from 'node:fs'
     console.log('halfway there')
     const look = setInterval(() => existsSync('go') && (console.log('done'), clearInterval(look)), 20)`,
  )
  const sessionId = await client.newSession(stage.cwd, 'services')
  const shown = (one: AcpTestClient) =>
    one.updates(sessionId).map(({ content }) => JSON.stringify(content ?? ''))
  const isHalfway = (text: string) =>
    text.includes('patient.mjs\\nhalfway there') && !text.includes('[exit')
  const prompted = client.prompt(sessionId, 'run node patient.mjs')
  await client.until(() => shown(client).some(isHalfway))

  // A client that joins in the middle gets it too.
  const viewer = await stage.connect()
  await viewer.load(sessionId, stage.cwd)
  await viewer.until(() => shown(viewer).some(isHalfway))
  writeFileSync(join(stage.cwd, 'go'), '')
  await prompted
  const isWhole = (text: string) => text.includes('halfway there\\ndone\\n[exit code 0]')
  await viewer.until(() => shown(viewer).some(isWhole))
  for (const one of [client, viewer]) {
    const texts = shown(one)
    expect(texts.findIndex(isWhole)).toBeGreaterThan(texts.findLastIndex(isHalfway))
  }
})

test('a client chooses a work tree of its own, with words for its branch', async () => {
  const client = await stage.connect()
  const quayside = { settings: { workspace: 'worktree' }, branch: 'From an editor' }
  const params: NewSessionRequest = { cwd: stage.cwd, mcpServers: [], _meta: { quayside } }
  const { sessionId } = await client.agent.request('session/new', params)
  const { workspace } = await stage.hub.get<SessionSummary>(`/api/sessions/${sessionId}`)
  expect(workspace).toMatchObject({ kind: 'worktree', branch: 'quayside/from-an-editor' })
})

test('the metrics count clients and their sockets', async () => {
  const scrape = async (name: string) => {
    const text = await (await stage.hub.fetch('/metrics')).text()
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  }
  const before = [await scrape('quayside_sockets_open'), await scrape('quayside_acp_clients')]
  await stage.connect()
  await stage.connect(httpStream(stage.hub.hub.address))
  const after = [await scrape('quayside_sockets_open'), await scrape('quayside_acp_clients')]
  expect(after).toEqual([before[0]! + 1, before[1]! + 2])
})
