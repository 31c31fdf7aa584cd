// `quayside sessions`: lists sessions, newest first. session-commands.ts has the commands for one session.
import { resolve } from 'node:path'
import type { SessionFilter } from '@quayside/client'
import {
  type Activity,
  escapeInvisible,
  SESSION_STATUSES,
  type SessionSummary,
} from '@quayside/protocol'
import { type Command, InvalidArgumentError } from 'commander'
import { oneLine } from '../io/one-line.js'
import type { CommandIo } from '../io/command-io.js'
import { ago } from '../io/describe-time.js'
import { shortIds } from '../io/find-session.js'
import { findWorkTree, requireRepo } from '../io/find-repo.js'
import { addHubOption, type HubAccess, type HubFlags, openHub } from '../io/hub-access.js'
import { wholeNumber } from '../io/read-whole-number.js'
import { type Cell, formatTable, type Style } from '../io/table.js'
import { addSessionCommands, stateOf } from './session-commands.js'

type ListFlags = HubFlags & {
  readonly repo?: string
  readonly agent?: string
  readonly state?: readonly State[]
  readonly archived?: boolean
  readonly search?: string
  readonly limit: number
  readonly json?: boolean
}

/** The states of an active session. */
const ACTIVITIES = ['starting', 'idle', 'working', 'waiting'] as const satisfies Activity[]
const STATES = [...SESSION_STATUSES, ...ACTIVITIES]
type State = (typeof STATES)[number]
const MAX_LIMIT = 100

export function defineSessions(sessions: Command, io: CommandIo): void {
  sessions.addHelpText('after', HELP)
  const ls = sessions
    .command('ls', { isDefault: true })
    .description('list sessions')
    .option('--repo <repo>', 'only of this repository: path, name or id')
    .option('--agent <id>', 'only with this agent')
    .option('--state <list>', `only in these states: ${STATES.join(', ')}`, readStates)
    .option('--search <words>', 'only with these words in titles, prompts or answers')
    .option('--archived', 'only archived ones')
    .option(
      '--limit <number>',
      `number of sessions, at most ${MAX_LIMIT}`,
      wholeNumber(1, MAX_LIMIT),
      20,
    )
    .option('--json', 'print JSON')
  addHubOption(ls).action((flags: ListFlags) => list(flags, io))
  addSessionCommands(sessions, io)
}

const HELP = `
Name a session by its id, the beginning or end of its id, its title, or "-" for
the newest.

Examples:
  quayside sessions --state active --repo .
  quayside sessions --search "checkout test" --json
  quayside sessions find - "retry("
  quayside sessions answer - allow_once
  quayside sessions rename - "Flaky checkout test"
  quayside sessions export - -o session.html
  quayside sessions archive 7d1f0c
  quayside sessions rm 7d1f0c --yes`

async function list({ json, ...flags }: ListFlags, io: CommandIo): Promise<void> {
  const write = (text: string) => void io.stdout.write(`${text}\n`)
  const { repo } = flags
  const workTree = repo === undefined ? undefined : findWorkTree(resolve(io.cwd, repo))
  await using hub = await openHub(flags, io, workTree === undefined ? undefined : [workTree])
  const { sessions, total } = await find(hub, flags, io.cwd)
  if (json) return write(JSON.stringify({ sessions, total }, null, 2))
  if (sessions.length === 0) return write('No sessions.')
  const isForPerson = io.stdout.isTTY === true
  write(isForPerson ? await tableOf(sessions, hub, io) : sessions.map(describe).join('\n'))
  if (total > sessions.length)
    io.stderr.write(`${total - sessions.length} more: see --limit and --search\n`)
}

type FoundSessions = { readonly sessions: readonly SessionSummary[]; readonly total: number }

async function find(hub: HubAccess, flags: ListFlags, cwd: string): Promise<FoundSessions> {
  const { state, search, repo, agent, archived, limit } = flags
  const filter: SessionFilter = {
    ...(search !== undefined && { q: search }),
    ...(repo !== undefined && { repoId: (await requireRepo(hub, repo, cwd)).id }),
    ...(agent !== undefined && { extensionId: agent }),
    ...(archived && { archived }),
  }
  const activities = state?.filter((one) => ACTIVITIES.some((activity) => activity === one)) ?? []
  const statuses = SESSION_STATUSES.filter((status) => state?.includes(status))
  if (activities.length === 0)
    return hub.client.sessions.list({ ...filter, limit, ...(state && { status: statuses }) })
  // The hub cannot filter by activity. Only active sessions have one, and they are few.
  const status = [...new Set([...statuses, 'active' as const])]
  const all = await hub.client.sessions.list({ ...filter, limit: MAX_LIMIT, status })
  const wanted = all.sessions.filter(
    (session) => state?.includes(session.status) || state?.includes(stateOf(session)),
  )
  return { sessions: wanted.slice(0, limit), total: wanted.length }
}

const COLOURS: Readonly<Record<string, Style>> = {
  starting: 'cyan',
  working: 'cyan',
  waiting: 'yellow',
  idle: 'green',
  error: 'red',
}

/** For people. */
async function tableOf(
  sessions: readonly SessionSummary[],
  { client }: HubAccess,
  { stdout }: CommandIo,
): Promise<string> {
  const names = new Map((await client.repos.list()).map(({ id, name }) => [id, name]))
  const ids = shortIds(sessions.map(({ id }) => id))
  const hasHubs = sessions.some(({ hub }) => hub !== undefined)
  const rows = sessions.map((session, at) => {
    const state = stateOf(session)
    return [
      { text: ids[at] ?? session.id },
      { text: state, style: COLOURS[state] ?? 'dim' },
      { text: escapeInvisible((session.title ?? '').replaceAll(/\s+/g, ' ').trim()) },
      { text: oneLine(names.get(session.repoId) ?? '') },
      { text: session.extensionId },
      ...(hasHubs ? [machineOf(session)] : []),
      { text: ago(session.updatedAt), style: 'dim' as const },
    ]
  })
  const machine = hasHubs ? ['MACHINE'] : []
  const titles = ['ID', 'STATE', 'TITLE', 'REPOSITORY', 'AGENT', ...machine, 'CHANGED']
  return formatTable(titles, rows, stdout)
}

/** Of several hubs that share a database. */
function machineOf({ hub }: SessionSummary): Cell {
  const { name = '', state } = hub ?? {}
  return state === 'away'
    ? { text: oneLine(`${name} (away)`), style: 'red' }
    : { text: oneLine(name) }
}

/** For scripts: whole ids, and the same columns on every machine. */
function describe(session: SessionSummary): string {
  const { id, extensionId, title, updatedAt } = session
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  return `${id}  ${stateOf(session).padEnd(9)}  ${extensionId.padEnd(8)}  ${when}  ${oneLine(title ?? '')}`.trimEnd()
}

function readStates(value: string): readonly State[] {
  return value.split(',').map((wanted) => {
    const known = STATES.find((state) => state === wanted.trim())
    if (known === undefined) throw new InvalidArgumentError(`Use one of: ${STATES.join(', ')}.`)
    return known
  })
}
