// `quayside remote`: the ways to the hub from other devices, and the tunnels that make one.
import { Devices } from '@quayside/client/admin'
import type { ReachWay } from '@quayside/protocol'
import { Argument, type Command } from 'commander'
import { COMMAND } from '../../places.js'
import { readTailscale, serveByTailscale, stopServing } from '../../reach/tailscale.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { type HubAccess, requireHub } from '../io/hub-access.js'
import { openQuickTunnel } from './quick-tunnel.js'
import { drawForPhone } from './sign-in-link.js'

type RemoteFlags = { readonly off?: boolean; readonly json?: boolean }
type Tunnel = 'tailscale' | 'cloudflared'

export function defineRemote(command: Command, io: CommandIo): void {
  command
    .addArgument(new Argument('[tunnel]').choices(['tailscale', 'cloudflared']))
    .option('--off', 'with tailscale: end the tunnel')
    .option('--json', 'without a tunnel: print JSON')
    .addHelpText('after', HELP)
    .action((tunnel: Tunnel | undefined, flags: RemoteFlags) => remote(tunnel, flags, io))
}

const HELP = `
Without a tunnel it prints the ways to the hub. See docs/remote-access.md.

tailscale    for your own devices in your tailnet; stays until --off
cloudflared  a public address, for as long as this command runs

Examples:
  quayside remote
  quayside remote tailscale
  quayside remote cloudflared`

async function remote(
  tunnel: Tunnel | undefined,
  { off = false, json = false }: RemoteFlags,
  io: CommandIo,
): Promise<void> {
  if (off && tunnel !== 'tailscale')
    throw new CommandError('--off is for `remote tailscale`.', EXIT.usage)
  await using hub = await requireHub({}, io)
  if (tunnel === 'tailscale') await (off ? endTailscale(hub, io) : useTailscale(hub, io))
  else if (tunnel === 'cloudflared') await openQuickTunnel(hub, io)
  else await printWays(hub, json, io)
}

async function useTailscale(hub: HubAccess, io: CommandIo): Promise<void> {
  const found = await readTailscale(io.env)
  if (found.is === 'missing')
    throw new CommandError(
      'Tailscale is not on the PATH. Install it (https://tailscale.com/download), then run this again.',
      EXIT.failed,
    )
  if (found.is === 'off')
    throw new CommandError(
      'Tailscale is not connected. Connect it first: tailscale up',
      EXIT.failed,
    )
  await serveByTailscale(hub.address, io.env)
  await new Devices(hub.client).addHost(found.hostname)
  io.stderr.write(
    `Devices in your tailnet reach the hub now. End it with: ${COMMAND} remote tailscale --off\n`,
  )
  await drawForPhone(hub, `https://${found.hostname}`, io)
}

async function endTailscale(hub: HubAccess, io: CommandIo): Promise<void> {
  const found = await readTailscale(io.env)
  if (found.is === 'on') {
    await stopServing(io.env)
    await new Devices(hub.client).removeHost(found.hostname)
  }
  io.stderr.write('Tailscale no longer leads to the hub.\n')
}

async function printWays(hub: HubAccess, json: boolean, io: CommandIo): Promise<void> {
  const reach = await new Devices(hub.client).reach()
  if (json) {
    io.stdout.write(`${JSON.stringify(reach, null, 2)}\n`)
    return
  }
  for (const way of reach.ways) io.stdout.write(`${NAMES[way.kind]}: ${describe(way)}\n`)
  if (reach.certificate?.isSelfSigned)
    io.stdout.write(`Fingerprint of the certificate (SHA-256): ${reach.certificate.fingerprint}\n`)
  const isReachable = reach.ways.some(({ url }) => url !== undefined)
  if (isReachable) io.stdout.write(`Sign a phone in with: ${COMMAND} pair --scope write\n`)
}

const NAMES = { address: 'Address', tailscale: 'Tailscale', network: 'Network' } as const

const PROBLEMS: Readonly<Record<NonNullable<ReachWay['problem']>, string>> = {
  this_machine_only: 'the hub listens on this machine only',
  no_network: 'this machine has no network address',
  not_installed: 'not installed (https://tailscale.com/download)',
  not_connected: 'not connected',
  not_served: 'connected, but it does not lead to the hub',
}

function describe({ url, isEncrypted, problem, command }: ReachWay): string {
  if (url !== undefined) return isEncrypted ? url : `${url} (not encrypted)`
  const reason = problem === undefined ? 'does not work' : PROBLEMS[problem]
  return command === undefined ? reason : `${reason}. Run: ${command}`
}
