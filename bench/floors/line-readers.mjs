// Floors for reading an agent without a hub: two loops over lines, and the ACP SDK's own client.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'

/** Each opens a connection: `prompt` resolves when its turn has ended, `close` ends the agent. */
export const floors = {
  readline: (agent, onUpdate) => openPlain(agent, onUpdate, eachLineByReadline),
  bytes: (agent, onUpdate) => openPlain(agent, onUpdate, eachLineByBytes),
  sdk: openSdk,
}

async function openPlain(agent, onUpdate, eachLine) {
  const child = start(agent)
  const waiting = new Map()
  let nextId = 0
  eachLine(child.stdout, (line) => {
    const message = JSON.parse(line)
    if (message.method === 'session/update') onUpdate(message.params.update)
    else waiting.get(message.id)?.(message.result)
  })
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = nextId++
      waiting.set(id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  return converse(child, request)
}

function openSdk(agent, onUpdate) {
  const child = start(agent)
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))
  const connection = client({ name: 'bench' })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update))
    .connect(stream)
  return converse(child, (method, params) => connection.agent.request(method, params))
}

async function converse(child, request) {
  await request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} })
  const { sessionId } = await request('session/new', { cwd: process.cwd(), mcpServers: [] })
  return {
    prompt: (text) => request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    close: () => child.kill(),
  }
}

function start(agent) {
  return spawn(process.execPath, [agent], { stdio: ['pipe', 'pipe', 'inherit'] })
}

function eachLineByReadline(input, onLine) {
  createInterface({ input }).on('line', onLine)
}

function eachLineByBytes(input, onLine) {
  let rest = Buffer.alloc(0)
  input.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      onLine(bytes.toString('utf8', start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
  })
}
