// `quayside acp`: the running hub as an ACP agent on stdin and stdout, for editors that start agents as programs.
// It passes messages on unchanged, line by line, and reads no faster than the other side accepts them.
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { WebSocket } from 'ws'
import { type Config, loadConfig } from '../../config/config.js'
import type { Hub } from '../../hub.js'
import { DataDirectoryLockedError, findLockHolder } from '../../store/data-lock.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import {
  addHubOption,
  addressOf,
  findRemote,
  type HubFlags,
  type HubAddress,
} from '../io/hub-access.js'
import { trustOptions } from '../io/trust-certificate.js'

type Flags = HubFlags & { readonly agent?: string }

/** The time to wait for a hub that another command is starting. */
const START_DEADLINE_MS = 10_000
const POLL_MS = 100

export function defineAcp(command: Command, io: CommandIo): void {
  command.option(
    '--agent <id>',
    'agent for new sessions (default: the one that `quayside agents` marks)',
  )
  addHubOption(command)
    .addHelpText('after', HELP)
    .action((flags: Flags) => acp(flags, io))
}

const HELP = `
An editor starts this command as its agent. If no hub is running, one runs for
as long as the editor is connected. See docs/acp.md.

Examples:
  quayside acp --agent gemini
  QUAYSIDE_TOKEN=… quayside acp --hub https://hub.example.com`

async function acp({ agent, ...flags }: Flags, io: CommandIo): Promise<void> {
  const remote = findRemote(flags, io)
  if (remote) await bridge(remote, agent, io)
  else await bridgeToLocalHub(agent, io)
}

/** If no hub runs on this machine, this process is the hub for as long as its client is connected. */
async function bridgeToLocalHub(agent: string | undefined, io: CommandIo): Promise<void> {
  const config = loadConfig({}, io.env, io.cwd)
  const hub = await startUnlessRunning(config, io)
  try {
    const running = findRunning(config)
    if (running === undefined) throw new Error('The hub has just stopped. Run the command again.')
    await bridge(running, agent, io)
  } finally {
    await hub?.stop()
  }
}

function findRunning({ dataDir }: Config): HubAddress | undefined {
  return addressOf(findLockHolder(dataDir))
}

async function startUnlessRunning(config: Config, io: CommandIo): Promise<Hub | undefined> {
  const deadline = performance.now() + START_DEADLINE_MS
  while (findRunning(config) === undefined) {
    const { createHub } = await import('../../hub.js')
    try {
      const hub = await createHub(config)
      io.stderr.write(
        `quayside: no hub was running on ${config.dataDir}, so a temporary one was started that ends with its client. ` +
          `To keep sessions running without a client, start a hub first: quayside start\n`,
      )
      return hub
    } catch (error) {
      if (!(error instanceof DataDirectoryLockedError) || performance.now() > deadline) throw error
      await setTimeout(POLL_MS)
    }
  }
  return undefined
}

/** Runs until the client closes stdin. Throws when the hub closes the connection first. */
async function bridge(hub: HubAddress, agent: string | undefined, io: CommandIo): Promise<void> {
  const socket = await connect(hub, agent)
  const { stdin, stdout } = io
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.on('message', (data, isBinary) => {
    if (isBinary || stdout.write(`${(data as Buffer).toString('utf8')}\n`)) return
    socket.pause()
    stdout.once('drain', () => socket.resume())
  })
  const lines = createInterface({ input: stdin, crlfDelay: Infinity })
  const leave = (): void => {
    // A second signal ends the process.
    for (const stopListening of listeners) stopListening()
    lines.close()
  }
  stdout.on('error', leave)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listeners = signals.map((signal) => io.onSignal(signal, leave))
  let isLeaving = false
  const sending = sendLines(lines, socket).then(() => {
    isLeaving = true
    return socket.close()
  })
  const [, reason] = (await closed) as [number, Buffer]
  leave()
  if (!isLeaving) {
    const details = reason.length > 0 ? ` (${reason.toString('utf8')})` : ''
    stdin.destroy()
    throw new CommandError(
      `The hub at ${hub.address} closed the connection${details}. Your sessions are kept: start the editor's agent again.`,
      EXIT.hubUnreachable,
    )
  }
  await sending
}

async function sendLines(lines: Interface, socket: WebSocket): Promise<void> {
  for await (const line of lines) {
    if (line.trim() === '') continue
    // Back pressure: read the next line when this one is sent.
    await new Promise<void>((resolve) => socket.send(line, () => resolve()))
  }
}

function connect(
  { address, token, certificate }: HubAddress,
  agent: string | undefined,
): Promise<WebSocket> {
  const url = new URL('/acp', address)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  if (agent !== undefined) url.searchParams.set('agent', agent)
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: 10_000,
    perMessageDeflate: false,
    ...(certificate !== undefined && trustOptions(certificate)),
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', (cause) => {
      const message = `The hub at ${address} cannot be reached: ${cause.message}`
      reject(new CommandError(message, EXIT.hubUnreachable, { cause }))
    })
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
    return `The hub at ${address} refused the connection: ${error.message}`
  } catch {
    return `The hub at ${address} refused the connection with status ${status}.`
  }
}
