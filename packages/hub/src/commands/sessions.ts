// `quayside sessions`: the sessions, newest first.
import { type Command, InvalidArgumentError } from 'commander'
import { SESSION_STATUSES, type SessionStatus, type SessionSummary } from '@quayside/protocol'
import { oneLine } from './chat-printer.js'
import { addHubOption, type HubFlags, openHub } from './hub-access.js'

type SessionsFlags = HubFlags & {
  readonly status?: readonly SessionStatus[]
  readonly search?: string
  readonly limit: number
  readonly json?: boolean
}

export function addSessionsCommand(program: Command): void {
  const command = program
    .command('sessions')
    .description('list the sessions, newest first')
    .option('--status <list>', `only these: ${SESSION_STATUSES.join(', ')}`, readStatuses)
    .option('--search <words>', 'only those with these words in titles, prompts or answers')
    .option('--limit <number>', 'how many, at most 100', readLimit, 20)
    .option('--json', 'print JSON')
  addHubOption(command)
    .addHelpText(
      'after',
      '\nExamples:\n  quayside sessions --status active\n  quayside sessions --search "checkout test" --json',
    )
    .action(list)
}

async function list({ json, status, search, limit, ...flags }: SessionsFlags): Promise<void> {
  await using hub = await openHub(flags)
  const filter = { limit, ...(status && { status }), ...(search !== undefined && { q: search }) }
  const { sessions, total } = await hub.client.sessions.list(filter)
  if (json) return write(JSON.stringify({ sessions, total }, null, 2))
  if (sessions.length === 0) return write('No sessions.')
  write(sessions.map(describe).join('\n'))
  if (total > sessions.length)
    process.stderr.write(`${total - sessions.length} more: see --limit and --search\n`)
}

function describe({ id, status, activity, extensionId, title, updatedAt }: SessionSummary): string {
  const state = status === 'active' ? (activity ?? status) : status
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  return `${id}  ${state.padEnd(9)}  ${extensionId.padEnd(8)}  ${when}  ${oneLine(title ?? '')}`.trimEnd()
}

function readStatuses(value: string): readonly SessionStatus[] {
  return value.split(',').map((wanted) => {
    const known = SESSION_STATUSES.find((status) => status === wanted.trim())
    if (known === undefined)
      throw new InvalidArgumentError(`Known: ${SESSION_STATUSES.join(', ')}.`)
    return known
  })
}

function readLimit(value: string): number {
  const limit = Number(value)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit
  throw new InvalidArgumentError('A whole number from 1 to 100.')
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}
