// `quayside status`: the address, process, sessions and agents of the running hub.
import { HubUpkeep } from '@quayside/client/admin'
import type { SessionSummary } from '@quayside/protocol'
import type { Command } from 'commander'
import { loadConfig } from '../../config/config.js'
import { COMMAND } from '../../places.js'
import { findLockHolder } from '../../store/data-lock.js'
import type { CommandIo } from '../io/command-io.js'
import { describeTime } from '../io/describe-time.js'
import { EXIT } from '../io/exit-codes.js'
import { addHubOption, findHub, type HubAccess, type HubFlags } from '../io/hub-access.js'
import { stateOf } from '../sessions/session-commands.js'

type Flags = HubFlags & { readonly json?: boolean }

type Status = {
  readonly address: string
  readonly version: string
  /** Only for a hub on this machine, like the next two. */
  readonly pid?: number
  readonly startedAt?: string
  readonly dataDir?: string
  /** The number of active sessions in each state. */
  readonly sessions: Readonly<Record<string, number>>
  readonly clients: number
  readonly agents: number
}

export function defineStatus(command: Command, io: CommandIo): void {
  command.option('--json', 'print JSON')
  addHubOption(command)
    .addHelpText(
      'after',
      '\nExamples:\n  quayside status\n  quayside status --json\n\nExit code: 0 a hub is running, 7 no hub is running.',
    )
    .action((flags: Flags) => status(flags, io))
}

async function status({ json, ...flags }: Flags, io: CommandIo): Promise<void> {
  await using hub = await findHub(flags, io)
  if (hub === undefined) {
    const { dataDir } = loadConfig({}, io.env, io.cwd)
    if (json) io.stdout.write(`${JSON.stringify({ running: false, dataDir }, null, 2)}\n`)
    else
      io.stdout.write(
        `No hub is running on ${dataDir}. Start one with: ${COMMAND} start --daemon\n`,
      )
    io.exitCode = EXIT.hubUnreachable
    return
  }
  const found = await readStatus(hub, io)
  const text = json ? JSON.stringify({ running: true, ...found }, null, 2) : describe(found)
  io.stdout.write(`${text}\n`)
}

async function readStatus(hub: HubAccess, io: CommandIo): Promise<Status> {
  const { client, address } = hub
  const [{ version }, { sessions }, processes, metrics] = await Promise.all([
    new HubUpkeep(client).health(),
    client.sessions.list({ status: ['active'], archived: 'any', limit: 100 }),
    new HubUpkeep(client).processes(),
    client.http.text('/metrics'),
  ])
  const [, clients = '0'] = /^quayside_sockets_open (\d+)$/m.exec(metrics) ?? []
  return {
    address,
    version,
    ...(hub.isRemote ? {} : processOf(io)),
    sessions: countStates(sessions),
    clients: Number(clients),
    agents: processes.length,
  }
}

function processOf(io: CommandIo): Pick<Status, 'pid' | 'startedAt' | 'dataDir'> {
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  const holder = findLockHolder(dataDir)
  if (holder === undefined) return { dataDir }
  const { pid, startedAt } = holder
  return { dataDir, pid, startedAt: new Date(startedAt).toISOString() }
}

function countStates(sessions: readonly SessionSummary[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const session of sessions) counts[stateOf(session)] = (counts[stateOf(session)] ?? 0) + 1
  return counts
}

function describe(found: Status): string {
  const { address, version, pid, startedAt, dataDir, sessions, clients, agents } = found
  const states = Object.entries(sessions).map(([state, count]) => `${count} ${state}`)
  const since = startedAt === undefined ? '' : `, since ${describeTime(startedAt)}`
  const rows = [
    `Quayside ${version} is running at ${address}${pid === undefined ? '' : ` (process ${pid}${since})`}`,
    `  sessions  ${states.length === 0 ? 'none active' : states.join(', ')}`,
    `  agents    ${agents === 1 ? '1 process' : `${agents} processes`}`,
    `  clients   ${clients} connected`,
    ...(dataDir === undefined ? [] : [`  data      ${dataDir}`]),
  ]
  return rows.join('\n')
}
