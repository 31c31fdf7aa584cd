// `quayside run`: one prompt, its answer on stdout, and an exit code that says how it went. Needs no running hub.
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { AgentSession } from '@quayside/client'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ChatWatch } from './chat-watch.js'
import { CommandError, EXIT, EXIT_CODES_HELP, type ExitCode } from './exit-codes.js'
import { findWorkTree, requireRepo } from './find-repo.js'
import { requireSessionId } from './find-session.js'
import { addHubOption, type HubAccess, type HubFlags, openHub } from './hub-access.js'

type RunFlags = HubFlags & {
  readonly agent?: string
  readonly repo?: string
  readonly session?: string
  readonly allow?: keyof typeof ALLOWED
  readonly auto?: boolean
  readonly json?: boolean
  readonly timeout?: number
}

/** What is allowed without asking, as the session's own rules: the hub keeps, shows and logs them, and picks "once". */
const ALLOWED = {
  reads: { mode: 'ask', rules: allow('read', 'search', 'think') },
  edits: { mode: 'ask', rules: allow('read', 'search', 'think', 'edit', 'move') },
  all: { mode: 'auto', rules: [] },
} as const

export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .description('send one prompt to an agent and print its answer')
    .argument('<prompt>', 'what to do; "-" reads it from stdin')
    .option('--agent <id>', 'which agent (default: the first of `quayside agents`)')
    .option('--repo <repo>', 'a path, name or id (default: the repository of this folder)')
    .option('--session <session>', 'go on with a session: id, beginning of it, title, or "-"')
    .addOption(
      new Option('--allow <what>', 'allow it without asking, in this session').choices(
        Object.keys(ALLOWED),
      ),
    )
    .addOption(new Option('--auto', 'the same as --allow all').conflicts('allow'))
    .option('--json', 'print one event per line instead of the text')
    .option('--timeout <time>', 'stop after this time, such as 90s, 10m or 1h', readTime)
  addHubOption(command)
    .addHelpText('after', HELP)
    .action(async (prompt: string, flags: RunFlags) => {
      process.exitCode = await run(prompt, flags)
    })
}

const HELP = `
The answer goes to stdout, everything else to stderr. Without a running hub one is started for as long as the command runs.
--allow reads: reading and searching. edits: also writing and moving files. all: everything but files that can run code unseen.

Examples:
  quayside run "Why does the login test fail?" --agent gemini
  quayside run "Summarise the last five commits" > summary.md
  git diff | quayside run - --allow reads
  quayside run "And add a test for it" --session -
${EXIT_CODES_HELP}`

async function run(prompt: string, flags: RunFlags): Promise<ExitCode> {
  const text = prompt === '-' ? await readAll(process.stdin) : prompt
  if (text.trim() === '') throw new CommandError('The prompt is empty.', EXIT.usage)
  const workTree = findWorkTree(resolve(flags.repo ?? '.'))
  await using hub = await openHub(flags, workTree === undefined ? undefined : [workTree])
  const session = await openSession(hub, flags)
  const code = await runTurn({ hub, session, text, flags })
  // It would be cancelled with the hub; this way it says what it is.
  if (hub.isOwn) await session.complete()
  return code
}

async function openSession(hub: HubAccess, flags: RunFlags): Promise<AgentSession> {
  const { client } = hub
  const allowed = flags.auto ? ALLOWED.all : flags.allow && ALLOWED[flags.allow]
  const settings = allowed && { settings: { permissions: allowed } }
  if (flags.session !== undefined) {
    const session = await client.openSession(await requireSessionId(hub, flags.session))
    if (settings) await session.change(settings)
    return session
  }
  const repo = await requireRepo(hub, flags.repo)
  const agent = flags.agent === undefined ? {} : { agent: flags.agent }
  return client.newSession({ repo: repo.id, ...agent, ...settings })
}

type TurnRun = {
  readonly hub: HubAccess
  readonly session: AgentSession
  readonly text: string
  readonly flags: RunFlags
}

async function runTurn({ hub, session, text, flags }: TurnRun): Promise<ExitCode> {
  const { json = false, timeout } = flags
  const elsewhere = hub.isOwn
    ? 'allow it with --allow, or start a hub (quayside start --daemon) and run this again'
    : `${hub.address}/s/${session.id}, then: quayside attach ${session.id}`
  using watch = new ChatWatch(session, {
    json,
    elsewhere,
    isOver: ({ type }) => type === 'turn_end',
  })
  const { printer } = watch
  if (!json) printer.note(`● ${session.info.extensionId} · session ${session.id}`)
  const turn = session.prompt(text)
  let isStopping = false
  const stop = (why: string): boolean => {
    if (isStopping) return false
    isStopping = true
    printer.note(why, 'yellow')
    // Whether it worked is seen at the end of the turn, which is being waited for.
    turn.cancel().catch((error: unknown) => printer.note(String(error), 'red'))
    return true
  }
  watch.onInterrupt({
    stop: () => stop('Stopping. Press Ctrl-C again to leave at once.'),
    leave: () => process.exit(EXIT.cancelled),
  })
  const late = timeout && setTimeout(() => stop('The time is over. Stopping.'), timeout)
  try {
    return await watch.follow(turn)
  } finally {
    clearTimeout(late)
  }
}

function allow(...kinds: string[]) {
  return kinds.map((kind) => ({ action: 'allow', kind }) as const)
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }
/** What a timer can count. */
const MAX_TIME_MS = 2 ** 31 - 1

function readTime(value: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(value) ?? []
  const ms = Number(number) * (UNITS[unit || 's'] ?? Number.NaN)
  if (ms > 0 && ms <= MAX_TIME_MS) return ms
  throw new InvalidArgumentError('Such as 90s, 10m or 1h, at most 24 days.')
}
