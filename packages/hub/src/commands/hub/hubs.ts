// `quayside hubs`: the hubs that share one database.
import { commandsOf } from '@quayside/client/commands'
import type { KnownHub } from '@quayside/protocol'
import type { Command } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { ago } from '../io/describe-time.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'
import { oneLine } from '../io/one-line.js'
import { type Cell, formatTable, type Style } from '../io/table.js'

type ListFlags = HubFlags & { readonly json?: boolean }

export function defineHubs(hubs: Command, io: CommandIo): void {
  hubs.addHelpText('after', HELP)
  const ls = hubs
    .command('ls', { isDefault: true })
    .description('list the hubs, and whether they can be reached')
    .option('--json', 'print JSON')
  addHubOption(ls).action((flags: ListFlags) => list(flags, io))
}

const HELP = `
Hubs that are started with the same --database know each other. A hub with a
SQLite file is alone. See docs/several-hubs.md.

Examples:
  quayside hubs
  quayside hubs --json`

async function list({ json, ...flags }: ListFlags, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const { hubs } = await commandsOf(hub.client)('hub/list', {})
  const text = json
    ? JSON.stringify({ hubs }, null, 2)
    : formatTable(['NAME', 'STATE', 'ADDRESS', 'VERSION'], hubs.map(rowOf), io.stdout)
  io.stdout.write(`${text}\n`)
}

const COLOURS: Readonly<Record<KnownHub['state'], Style>> = {
  here: 'green',
  elsewhere: 'green',
  away: 'red',
}

function rowOf({ name, state, since, address = '', version }: KnownHub): Cell[] {
  const words = since === undefined ? state : `${state}, seen ${ago(since)}`
  return [
    { text: oneLine(name) },
    { text: words, style: COLOURS[state] },
    { text: oneLine(address) },
    { text: version },
  ]
}
