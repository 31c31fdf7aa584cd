// `quayside run`: one prompt, its answer on stdout, and an exit code that says how it went. Needs no running hub, unless it is left alone.
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { AgentSession, PromptInput } from '@quayside/client'
import { type Command, Option } from 'commander'
import { type ConfigWish, readConfigWish, setConfig } from './agent-config.js'
import { ChatPrinter } from './printer.js'
import { ChatWatch, type WatchOptions } from './watch.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT, EXIT_CODES_HELP, type ExitCode } from '../io/exit-codes.js'
import { findWorkTree, requireRepo } from '../io/find-repo.js'
import { requireSessionId } from '../io/find-session.js'
import { addHubOption, findHub, type HubAccess, type HubFlags, openHub } from '../io/hub-access.js'
import { type PromptFile, readPromptFiles, toContentBlocks } from './prompt-files.js'
import { readTime } from '../io/read-time.js'

type RunFlags = HubFlags & {
  readonly agent?: string
  readonly repo?: string
  readonly session?: string
  readonly config?: readonly ConfigWish[]
  readonly file?: readonly string[]
  readonly allow?: keyof typeof ALLOWED
  readonly auto?: boolean
  readonly json?: boolean
  readonly detach?: boolean
  readonly timeout?: number
}

/** What is allowed without asking, as the session's own rules: the hub keeps, shows and logs them, and picks "once". */
const ALLOWED = {
  reads: { mode: 'ask', rules: allow('read', 'search', 'think') },
  edits: { mode: 'ask', rules: allow('read', 'search', 'think', 'edit', 'move') },
  all: { mode: 'auto', rules: [] },
} as const

export function defineRun(command: Command, io: CommandIo): void {
  command
    .argument('<prompt>', 'what to do; "-" reads it from stdin')
    .option('--agent <id>', 'which agent (default: the first of `quayside agents`)')
    .option('--repo <repo>', 'a path, name or id (default: the repository of this folder)')
    .option('--session <session>', 'go on with a session: id, beginning of it, title, or "-"')
    .option('--config <id=value>', 'set a mode, a model or another option first', readConfigWish)
    .option('--file <path>', 'a text or picture that goes with the prompt', collect)
    .addOption(
      new Option('--allow <what>', 'allow it without asking, in this session').choices(
        Object.keys(ALLOWED),
      ),
    )
    .addOption(new Option('--auto', 'the same as --allow all').conflicts('allow'))
    .option('--json', 'print one event per line instead of the text')
    .addOption(
      new Option('--detach', 'print the id of the session and do not wait').conflicts('timeout'),
    )
    .option('--timeout <time>', 'stop after this time, such as 90s, 10m or 1h', readTime)
  addHubOption(command)
    .addHelpText('after', HELP)
    .action(async (prompt: string, flags: RunFlags) => {
      io.exitCode = await run(prompt, flags, io)
    })
}

const HELP = `
The answer goes to stdout, everything else to stderr. Without a running hub one is started for as long as the command runs.
--allow reads: reading and searching. edits: also writing and moving files. all: everything but files that can run code unseen.
--file and --config may be given several times.

Examples:
  quayside run "Why does the login test fail?" --agent gemini
  quayside run "Summarise the last five commits" > summary.md
  git diff | quayside run - --allow reads
  quayside run "Make the page look like this" --file sketch.png --config mode=code
  quayside run "And add a test for it" --session -
  quayside attach $(quayside run "Fix the flaky test" --detach)
${EXIT_CODES_HELP}`

async function run(prompt: string, flags: RunFlags, io: CommandIo): Promise<ExitCode> {
  const text = prompt === '-' ? await readAll(io.stdin) : prompt
  if (text.trim() === '') throw new CommandError('The prompt is empty.', EXIT.usage)
  const files = readPromptFiles(flags.file ?? [], io)
  await using hub = await openRunHub(flags, io)
  const { session, place } = await openSession(hub, flags, io.cwd)
  const input = await prepare({ hub, session, text, files, flags })
  const turn = { hub, session, place, input, flags, io }
  if (flags.detach) return detach(turn)
  const code = await runTurn(turn)
  // It would be cancelled with the hub; this way it says what it is.
  if (hub.isOwn) await session.complete()
  return code
}

async function openRunHub(flags: RunFlags, io: CommandIo): Promise<HubAccess> {
  if (!flags.detach) {
    const workTree = findWorkTree(resolve(io.cwd, flags.repo ?? '.'))
    return openHub(flags, io, workTree === undefined ? undefined : [workTree])
  }
  const hub = await findHub(flags, io)
  if (hub) return hub
  throw new CommandError(
    'With --detach the agent goes on without this command, so a hub has to run. Start one with: quayside start --daemon',
    EXIT.usage,
  )
}

type OpenSession = { readonly session: AgentSession; readonly place: string }

async function openSession(hub: HubAccess, flags: RunFlags, cwd: string): Promise<OpenSession> {
  const { client } = hub
  const allowed = flags.auto ? ALLOWED.all : flags.allow && ALLOWED[flags.allow]
  const settings = allowed && { settings: { permissions: allowed } }
  if (flags.session !== undefined) {
    const session = await client.openSession(await requireSessionId(hub, flags.session))
    if (settings) await session.change(settings)
    return { session, place: session.info.title ?? 'untitled' }
  }
  const repo = await requireRepo(hub, flags.repo, cwd)
  const agent = flags.agent === undefined ? {} : { agent: flags.agent }
  const session = await client.newSession({ repo: repo.id, ...agent, ...settings })
  return { session, place: repo.branch === undefined ? repo.name : `${repo.name} (${repo.branch})` }
}

type Preparation = {
  readonly hub: HubAccess
  readonly session: AgentSession
  readonly text: string
  readonly files: readonly PromptFile[]
  readonly flags: RunFlags
}

/** Sets what --config wants and puts the files to the prompt. A new session for which that fails was nobody's wish. */
async function prepare({ hub, session, text, files, flags }: Preparation): Promise<PromptInput> {
  const { config = [] } = flags
  if (config.length === 0 && files.length === 0) return text
  try {
    // What the agent offers is known once it runs.
    if (session.info.status !== 'active') await session.resume()
    const { state } = await session.timeline({ limit: 1 })
    await setConfig(session, config, state)
    const capabilities = state?.agent?.capabilities?.['promptCapabilities'] ?? {}
    return [text, ...(await toContentBlocks(files, hub.client, capabilities))]
  } catch (error) {
    if (flags.session === undefined) await session.delete({ purge: true })
    throw error
  }
}

type TurnRun = OpenSession & {
  readonly hub: HubAccess
  readonly input: PromptInput
  readonly flags: RunFlags
  readonly io: CommandIo
}

/** Ends when the hub has the prompt. */
async function detach({ input, flags, io, ...run }: TurnRun): Promise<ExitCode> {
  const { session } = run
  const { turnId, seq, queued } = await session.prompt(input).accepted
  if (flags.json) {
    io.stdout.write(`${JSON.stringify({ sessionId: session.id, turnId, seq, queued })}\n`)
    return EXIT.done
  }
  new ChatPrinter(io).note(headOf(run))
  io.stdout.write(`${session.id}\n`)
  return EXIT.done
}

async function runTurn({ input, flags, io, ...run }: TurnRun): Promise<ExitCode> {
  const { hub, session } = run
  const { json = false, timeout } = flags
  const elsewhere = hub.isOwn
    ? 'start a hub (quayside start --daemon) and run this again'
    : `${hub.address}/s/${session.id}, then: quayside attach ${session.id}`
  const options: WatchOptions = {
    json,
    elsewhere,
    allowHint: 'Or say before what is allowed: --allow reads, edits or all.',
    changes: () => hub.client.sessions.changes(session.id, { patches: false }),
    isOver: ({ type }) => type === 'turn_end',
  }
  using watch = new ChatWatch(session, options, io)
  const { printer } = watch
  if (!json) printer.note(headOf(run))
  const turn = session.prompt(input)
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
    leave: () => io.exit(EXIT.cancelled),
  })
  const late = timeout && setTimeout(() => stop('The time is over. Stopping.'), timeout)
  try {
    return await watch.follow(turn)
  } finally {
    clearTimeout(late)
  }
}

/** The address of a hub that ends with the command leads nowhere. */
function headOf({ hub, session, place }: Pick<TurnRun, 'hub' | 'session' | 'place'>): string {
  const head = `● ${session.info.extensionId} · ${place} · session ${session.id}`
  return hub.isOwn ? head : `${head}\n  ${hub.address}/s/${session.id}`
}

function allow(...kinds: string[]) {
  return kinds.map((kind) => ({ action: 'allow', kind }) as const)
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
