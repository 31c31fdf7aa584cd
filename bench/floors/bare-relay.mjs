// The minimal relay from an agent to a browser, without parsing or storing: `node bare-relay.mjs line` sends a frame for every
// line of the agent, `read` one for every read of the pipe, up to its last whole line. A client sends a prompt, or `send 1000000`
// for that many bytes in frames of one page. See usage.mjs.
import { spawn } from 'node:child_process'
import { WebSocketServer } from 'ws'
import { serveUsage } from '../hubs/usage.mjs'
import { AGENT } from '../hubs/workspace.mjs'

const PAGE = Buffer.alloc(64 * 1024, ' ')
const NEWLINE = 10
const perLine = process.argv[2] !== 'read'

const agent = spawn(process.execPath, [AGENT], { stdio: ['pipe', 'pipe', 'inherit'] })
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
let rest = Buffer.alloc(0)

agent.stdout.on('data', (chunk) => {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
  const end = bytes.lastIndexOf(NEWLINE) + 1
  rest = bytes.subarray(end)
  if (end === 0) return
  if (perLine) sendLines(bytes.subarray(0, end))
  else send(bytes.subarray(0, end - 1))
})

server.on('connection', (client) =>
  client.on('message', (data) => {
    const text = Buffer.from(data).toString()
    if (text.startsWith('send ')) {
      void sendPages(client, Number(text.slice('send '.length)))
      return
    }
    const params = { prompt: [{ type: 'text', text }] }
    agent.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/prompt', params })}\n`,
    )
  }),
)

function sendLines(bytes) {
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    send(bytes.subarray(start, end))
    start = end + 1
  }
}

function send(bytes) {
  for (const client of server.clients) client.send(bytes, { binary: false })
}

/** Sends one after the other, as the client accepts them. */
async function sendPages(client, bytes) {
  for (let sent = 0; sent < bytes; sent += PAGE.length)
    await new Promise((resolve) => {
      client.send(PAGE, { binary: false }, resolve)
    })
  client.send('{"stopReason":"end_turn"}')
}

server.on('listening', () =>
  serveUsage({ address: `ws://127.0.0.1:${server.address().port}` }, () => {
    agent.kill()
    process.exit(0)
  }),
)
