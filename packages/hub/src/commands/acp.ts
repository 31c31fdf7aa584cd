// `quayside acp`: the running hub as an ACP agent on stdin and stdout, for editors that start agents as programs.
// Passes messages on as they are, line by line, and reads no faster than the other side takes.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { WebSocket } from 'ws'
import { type Config, loadConfig } from '../config.js'
import { createHub, type Hub } from '../hub.js'
import { findLockHolder } from '../store/data-lock.js'

type Flags = { readonly hub?: string; readonly agent?: string }
type Place = { readonly address: string; readonly token: string }

export function addAcpCommand(program: Command): void {
  program
    .command('acp')
    .description('speak ACP on stdin and stdout, for editors; connects to the running hub')
    .option('--hub <address>', 'a hub elsewhere, such as http://127.0.0.1:4444 (QUAYSIDE_URL)')
    .option('--agent <id>', 'the agent of new sessions (default: the first of the hub)')
    .action(acp)
}

async function acp({ hub: address = process.env['QUAYSIDE_URL'], agent }: Flags): Promise<void> {
  const config = loadConfig({}, process.env, process.cwd())
  if (address !== undefined) {
    if (config.token === undefined)
      throw new Error(
        `Set QUAYSIDE_TOKEN to the token that the hub at ${address} was started with.`,
      )
    await bridge({ address, token: config.token }, agent)
    return
  }
  const running = findRunning(config)
  if (running) await bridge(running, agent)
  else await withOwnHub(config, (place) => bridge(place, agent))
}

function findRunning({ dataDir }: Config): Place | undefined {
  const { address, localToken: token } = findLockHolder(dataDir) ?? {}
  return address === undefined || token === undefined ? undefined : { address, token }
}

/** Nobody runs one: this process is the hub as long as the client is there. */
async function withOwnHub(config: Config, work: (place: Place) => Promise<void>): Promise<void> {
  const hub = await createHub(config)
  process.stderr.write(
    `quayside: no hub was running on ${config.dataDir}, so this one ends with its client. ` +
      `Sessions go on without a client when you start one yourself: quayside start\n`,
  )
  const stop = (): void => void endWith(hub, 0)
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const own = findRunning(config)
  try {
    if (own) await work(own)
  } finally {
    await endWith(hub, process.exitCode)
  }
}

async function endWith(hub: Hub, code: number | string | null | undefined): Promise<void> {
  await hub.stop()
  process.exit(code)
}

/** Until the client closes stdin. When the hub goes first, that is an error: the client has to start again. */
async function bridge({ address, token }: Place, agent: string | undefined): Promise<void> {
  const socket = await connect({ address, token }, agent)
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.on('message', (data, isBinary) => {
    if (isBinary || process.stdout.write(`${(data as Buffer).toString('utf8')}\n`)) return
    socket.pause()
    process.stdout.once('drain', () => socket.resume())
  })
  process.stdout.on('error', () => socket.close())
  let isLeaving = false
  const sending = sendLines(socket).then(() => {
    isLeaving = true
    return socket.close()
  })
  const [, reason] = (await closed) as [number, Buffer]
  process.stdin.destroy()
  if (!isLeaving) {
    const why = reason.length > 0 ? ` (${reason.toString('utf8')})` : ''
    throw new Error(`The hub at ${address} closed the connection${why}. Sessions are kept.`)
  }
  await sending
}

async function sendLines(socket: WebSocket): Promise<void> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    // The next line is read when this one has left.
    await new Promise<void>((resolve) => socket.send(line, () => resolve()))
  }
}

function connect({ address, token }: Place, agent: string | undefined): Promise<WebSocket> {
  const url = new URL('/acp', address)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  if (agent !== undefined) url.searchParams.set('agent', agent)
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: 10_000,
    perMessageDeflate: false,
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', (cause) =>
      reject(new Error(`There is no hub at ${address}: ${cause.message}`, { cause })),
    )
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => reject(new Error(refusal(address, response.statusCode, body))))
    })
  })
}

function refusal(address: string, status: number | undefined, body: string): string {
  try {
    const { error } = JSON.parse(body) as { error: { message: string } }
    return `The hub at ${address} refused: ${error.message}`
  } catch {
    return `The hub at ${address} refused with status ${status}.`
  }
}
