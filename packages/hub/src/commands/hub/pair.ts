// `quayside pair`: prints a new one-time sign-in address, for another browser or a phone.
import { Devices } from '@quayside/client/admin'
import type { Scope } from '@quayside/protocol'
import type { Command } from 'commander'
import { COMMAND } from '../../places.js'
import type { CommandIo } from '../io/command-io.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { readTime } from '../io/read-time.js'
import { drawLink } from './sign-in-link.js'
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
  const code = {
    ...(scope && { scope }),
    ...(name !== undefined && { name }),
    ...(ttl !== undefined && { ttlMs: ttl }),
  }
  if (hub.isRemote) return drawLink(hub, { url: hub.address, code }, io)
  const { ways, certificate } = await new Devices(hub.client).reach()
  const way = ways.find(({ url }) => url !== undefined)
  if (way?.url !== undefined)
    return drawLink(
      hub,
      { url: way.url, code, ...(way.kind === 'network' && certificate && { certificate }) },
      io,
    )
  const { code: secret } = await new Devices(hub.client).createLoginCode(code)
  io.stdout.write(`${hub.address}/#code=${secret}\n`)
  if (io.stderr.isTTY)
    io.stderr.write(
      `This address works on this machine only. To reach the hub from a phone, see: ${COMMAND} remote\n`,
    )
}
