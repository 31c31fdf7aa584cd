// `quayside remote cloudflared`: a public address of Cloudflare that leads to the hub for as long as the command runs.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Devices } from '@quayside/client/admin'
import { within } from '../../deadline.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import type { HubAccess } from '../io/hub-access.js'
import { drawForPhone } from './sign-in-link.js'

const DOWNLOADS =
  'https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/downloads/'
type Tunnel = ChildProcessByStdio<null, null, Readable>

const OPEN_MS = 60_000
const MAX_LINES = 20

export async function openQuickTunnel(hub: HubAccess, io: CommandIo): Promise<void> {
  const isTls = hub.address.startsWith('https:')
  const args = ['tunnel', '--no-autoupdate', '--url', hub.address]
  // It is the hub's own certificate, on this machine.
  if (isTls) args.push('--no-tls-verify')
  const child = spawn('cloudflared', args, { env: io.env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
    io.onSignal(signal, () => void child.kill()),
  )
  try {
    await serve(hub, child, io)
  } finally {
    child.kill()
    await ended
    for (const stopListening of listeners) stopListening()
  }
}

/** Until the tunnel ends. */
async function serve(hub: HubAccess, child: Tunnel, io: CommandIo): Promise<void> {
  const lines: string[] = []
  const address = await within(untilOpen(child, lines), OPEN_MS)
  if (address === undefined)
    throw new CommandError(`cloudflared opened no tunnel.\n${lines.join('\n')}`, EXIT.failed)
  const devices = new Devices(hub.client)
  const { hostname } = new URL(address)
  await devices.addHost(hostname, { isKept: false })
  try {
    io.stderr.write(
      'The hub has a public address now; only signed-in devices get past it. End it with Ctrl-C.\n',
    )
    await drawForPhone(hub, address, io)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  } finally {
    await devices.removeHost(hostname)
  }
}

/** The address that it prints among its log lines; undefined when it ends without one. */
async function untilOpen(child: Tunnel, lines: string[]): Promise<string | undefined> {
  await once(child, 'spawn').catch((cause: unknown) => {
    const message = `cloudflared is not on the PATH. Install it, then run this again: ${DOWNLOADS}`
    throw new CommandError(message, EXIT.failed, { cause })
  })
  const output = createInterface(child.stderr)
  for await (const line of output) {
    if (lines.push(line) > MAX_LINES) lines.shift()
    const found = /https:\/\/[a-z0-9-]+\.trycloudflare\.com/.exec(line)?.[0]
    if (found === undefined) continue
    child.stderr.resume()
    return found
  }
  return undefined
}
