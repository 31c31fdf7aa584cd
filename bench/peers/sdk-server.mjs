// The ACP SDK's own WebSocket server in front of the load agent: `node sdk-server.mjs <port>`. Messages pass through the SDK's streams.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server'
import { WebSocketServer } from 'ws'
import { AGENT } from '../hubs/workspace.mjs'

const acp = new AcpServer({
  createAgent: () => ({
    connect(stream) {
      const child = spawn(process.execPath, [AGENT], { stdio: ['pipe', 'pipe', 'inherit'] })
      const agent = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))
      const passed = [
        stream.readable.pipeTo(agent.writable),
        agent.readable.pipeTo(stream.writable),
      ]
      const closed = Promise.allSettled(passed).then(() => child.kill())
      return { closed, close: () => child.kill() }
    },
  }),
})
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer()
server.on('upgrade', (request, socket, head) => {
  const prepared = acp.prepareWebSocketUpgrade()
  sockets.handleUpgrade(request, socket, head, (client) => prepared.accept(client))
})
server.listen(Number(process.argv[2]), '127.0.0.1')
