// The minimal relay from an agent to a browser: sends every line of the agent to every WebSocket, without parsing or storing it.
// `node relay-bare.mjs` prints its port; a client sends a prompt, or `send 1000000` for that many bytes in frames of one page.
// It exits when its stdin ends.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'

const AGENT = fileURLToPath(new URL('load-agent.mjs', import.meta.url))
const PAGE = Buffer.alloc(64 * 1024, ' ')

const agent = spawn(process.execPath, [AGENT], { stdio: ['pipe', 'pipe', 'inherit'] })
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
createInterface({ input: agent.stdout }).on('line', (line) => {
  for (const client of server.clients) client.send(line)
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
/** Sends one after the other, as the client accepts them. */
async function sendPages(client, bytes) {
  for (let sent = 0; sent < bytes; sent += PAGE.length)
    await new Promise((resolve) => {
      client.send(PAGE, { binary: false }, resolve)
    })
  client.send('{"stopReason":"end_turn"}')
}

server.on('listening', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume()
process.stdin.once('end', () => {
  agent.kill()
  process.exit(0)
})
