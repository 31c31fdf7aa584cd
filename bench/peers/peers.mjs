// Other programs that relay an agent to a network: how each is started and reached. `missing` says why one cannot be had.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installPeer, installSandboxAgent, installWebsocketd } from '../../scripts/tools/peers.mjs'
import { AGENT } from '../hubs/workspace.mjs'
import { PeerClient } from './connections.mjs'

const SDK_SERVER = fileURLToPath(new URL('sdk-server.mjs', import.meta.url))
const AGENT_COMMAND = `${process.execPath} ${AGENT}`
const READY_MS = 30_000
const POLL_MS = 20

const overSocket = (path) => (port) => PeerClient.overSocket(`ws://127.0.0.1:${port}${path}`)

/** `command` returns a program with its arguments; `open` connects a client. */
export const PEERS = {
  "ACP SDK's WebSocket server": {
    command: (port) => [process.execPath, SDK_SERVER, port],
    open: overSocket('/'),
  },
  'supergateway 4.0.0': {
    async command(port) {
      const program = join(await installPeer('supergateway'), 'dist/index.js')
      const options = ['--outputTransport', 'ws', '--port', port, '--logLevel', 'none']
      return [process.execPath, program, '--stdio', AGENT_COMMAND, ...options]
    },
    open: overSocket('/message'),
  },
  'stdio-to-ws 0.2.0': {
    async command(port) {
      const program = join(await installPeer('stdio-to-ws'), 'dist/main.js')
      return [process.execPath, program, '--quiet', '--port', port, AGENT_COMMAND]
    },
    open: overSocket('/'),
  },
  'websocketd 0.4.1': {
    command: async (port) => [
      await installWebsocketd(),
      '--address=127.0.0.1',
      `--port=${port}`,
      process.execPath,
      AGENT,
    ],
    open: overSocket('/'),
  },
  'sandbox-agent 0.4.2': {
    async command(port) {
      const program = await installSandboxAgent()
      return [program, 'server', '--no-token', '--no-telemetry', '--port', port]
    },
    prepare: installAgentForSandbox,
    open: (port) => PeerClient.overEvents(`http://127.0.0.1:${port}/v1/acp/one`, 'opencode'),
  },
  OpenACP: { missing: 'npm has no package of it' },
}

/** The running program, with a client that has a session. */
export async function startPeer({ command, prepare, open }) {
  const port = await freePort()
  const [program, ...args] = await command(String(port))
  const folder = mkdtempSync(join(tmpdir(), 'quayside-bench-peer-'))
  const env = { ...process.env, ...prepare?.(folder) }
  const child = spawn(program, args, { env, cwd: folder, stdio: 'ignore', detached: true })
  const stop = async () => {
    const exit = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    // With its agents, which some programs leave behind.
    if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await exit
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await listening(port, child)
    const client = await open(port)
    await client.open()
    return { pid: child.pid, client, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** It runs agents that it knows by name: the load agent takes the place of one of them. */
function installAgentForSandbox(folder) {
  const programs = join(folder, 'sandbox-agent/bin')
  for (const path of [join(programs, 'opencode'), join(programs, 'agent_processes/opencode-acp')]) {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, `#!/bin/sh\nexec ${AGENT_COMMAND}\n`)
    chmodSync(path, 0o755)
  }
  return { HOME: folder, XDG_DATA_HOME: folder, SANDBOX_AGENT_REQUIRE_PREINSTALL: '1' }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function listening(port, child) {
  for (const start = performance.now(); performance.now() - start < READY_MS;) {
    if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`)
    if (await canConnect(port)) return
    await setTimeout(POLL_MS)
  }
  throw new Error('it does not listen')
}

function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
