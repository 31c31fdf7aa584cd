// `quayside hubs`: the hubs that share one database.
import { setTimeout as sleep } from 'node:timers/promises'
import { commandsOf } from '@quayside/client/commands'
import type { KnownHub } from '@quayside/protocol'
import type { Command } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { ago } from '../io/describe-time.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { oneLine } from '../io/one-line.js'
import { type Cell, formatTable, type Style } from '../io/table.js'

const POLL_MS = 500

type ListFlags = HubFlags & { readonly json?: boolean }

export function defineHubs(hubs: Command, io: CommandIo): void {
  hubs.addHelpText('after', HELP)
  const ls = hubs
    .command('ls', { isDefault: true })
    .description('list the hubs, and whether they can be reached')
    .option('--json', 'print JSON')
  addHubOption(ls).action((flags: ListFlags) => list(flags, io))
  defineDrain(hubs, io)
}

type DrainFlags = HubFlags & { readonly cancel?: boolean; readonly timeout: string }

function defineDrain(hubs: Command, io: CommandIo): void {
  const drain = hubs
    .command('drain')
    .argument('<name>', 'the name or id of the machine')
    .description('empty a hub for an upgrade, and wait until it runs no session')
    .option('--cancel', 'let it take work again')
    .option('--timeout <seconds>', 'how long to wait', '600')
  addHubOption(drain).action((name: string, flags: DrainFlags) => empty(name, flags, io))
  const remove = hubs
    .command('remove')
    .argument('<name>', 'the name or id of the machine')
    .description('forget a hub that is away for good; its sessions stay readable')
  addHubOption(remove).action(async (name: string, flags: HubFlags) => {
    await using hub = await openHub(flags, io)
    await commandsOf(hub.client)('hub/remove', { hubId: name })
    io.stdout.write(`${oneLine(name)} is removed.\n`)
  })
}

async function empty(
  name: string,
  { cancel = false, timeout, ...flags }: DrainFlags,
  io: CommandIo,
): Promise<void> {
  const limitMs = Number(timeout) * 1000
  if (!(limitMs >= 0)) throw new CommandError('--timeout is a number of seconds.', EXIT.usage)
  await using hub = await openHub(flags, io)
  const call = commandsOf(hub.client)
  const { id } = await call('hub/drain', { hubId: name, cancel })
  if (cancel) {
    io.stdout.write(`${oneLine(name)} takes work again.\n`)
    return
  }
  const giveUpAt = performance.now() + limitMs
  for (let before: number | undefined; ;) {
    const { hubs } = await call('hub/list', {})
    const left = hubs.find((one) => one.id === id)?.activeSessions ?? 0
    if (left === 0) break
    if (left !== before)
      io.stdout.write(`${oneLine(name)} runs ${left} ${left === 1 ? 'session' : 'sessions'}.\n`)
    before = left
    if (performance.now() >= giveUpAt)
      throw new CommandError(
        `${left} sessions of ${name} still work or wait for a person. It takes no new work; run the command again to wait on, or with --cancel to undo it.`,
        EXIT.failed,
      )
    await sleep(POLL_MS)
  }
  io.stdout.write(`${oneLine(name)} is empty. Stop it now: its next start takes work again.\n`)
}

const HELP = `
Hubs that are started with the same --database know each other. A hub with a
SQLite file is alone. See docs/several-hubs.md.

Examples:
  quayside hubs
  quayside hubs --json
  quayside hubs drain studio
  quayside hubs drain studio --cancel
  quayside hubs remove studio`

async function list({ json, ...flags }: ListFlags, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const { hubs } = await commandsOf(hub.client)('hub/list', {})
  const text = json
    ? JSON.stringify({ hubs }, null, 2)
    : formatTable(['NAME', 'STATE', 'ADDRESS', 'SESSIONS', 'VERSION'], hubs.map(rowOf), io.stdout)
  io.stdout.write(`${text}\n`)
}

const COLOURS: Readonly<Record<KnownHub['state'], Style>> = {
  here: 'green',
  elsewhere: 'green',
  away: 'red',
}

function rowOf({ name, state, since, draining, address = '', ...hub }: KnownHub): Cell[] {
  const seen = since === undefined ? '' : `, seen ${ago(since)}`
  const words = `${state}${seen}${draining ? ', being emptied' : ''}`
  return [
    { text: oneLine(name) },
    { text: words, style: COLOURS[state] },
    { text: oneLine(address) },
    { text: hub.activeSessions === undefined ? '' : String(hub.activeSessions) },
    { text: hub.version },
  ]
}
