// `quayside pair`: prints a new one-time sign-in address, for another browser or a phone.
import { Devices } from '@quayside/client/admin'
import type { Scope } from '@quayside/protocol'
import type { Command } from 'commander'
import { toString as drawQrCode } from 'qrcode'
import type { CommandIo } from '../io/command-io.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { readTime } from '../io/read-time.js'
import { scopeOption } from './token.js'

type PairFlags = HubFlags & {
  readonly scope?: Scope
  readonly name?: string
  readonly ttl?: number
}

export function definePair(command: Command, io: CommandIo): void {
  command
    .addOption(scopeOption('scope of the sign-in (default: admin)'))
    .option('--name <name>', 'name shown in the log (default: browser)')
    .option(
      '--ttl <time>',
      'how long the address can be used, such as 90s or 1h (default: 10m)',
      readTime,
    )
  addHubOption(command)
    .addHelpText('after', '\nExamples:\n  quayside pair\n  quayside pair --scope read --name phone')
    .action((flags: PairFlags) => pair(flags, io))
}

async function pair({ scope, name, ttl, ...flags }: PairFlags, io: CommandIo): Promise<void> {
  await using hub = await requireHub(flags, io)
  const { code } = await new Devices(hub.client).createLoginCode({
    ...(scope && { scope }),
    ...(name !== undefined && { name }),
    ...(ttl !== undefined && { ttlMs: ttl }),
  })
  const address = `${hub.address}/#code=${code}`
  io.stdout.write(`${address}\n`)
  if (!io.stderr.isTTY) return
  io.stderr.write(await drawQrCode(address, { type: 'terminal', small: true }))
  const { hostname } = new URL(hub.address)
  if (hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]')
    io.stderr.write(
      'The hub listens on this machine only. To reach it from a phone, use a tunnel or, in a network that is yours alone: ' +
        'quayside start --host <address> --insecure-http\n',
    )
}
