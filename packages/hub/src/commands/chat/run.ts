// `quayside run`: sends one prompt, prints the answer on stdout, and reports the outcome as exit code. Only --detach needs a running hub.
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { AgentSession, PromptInput } from '@quayside/client'
import { type Command, Option } from 'commander'
import { type ConfigInput, readConfigInput, setConfig } from './agent-config.js'
import { ChatPrinter } from './printer.js'
import { ChatWatch, type WatchOptions } from './watch.js'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT, EXIT_CODES_HELP, type ExitCode } from '../io/exit-codes.js'
import { findWorkTree, requireRepo } from '../io/find-repo.js'
import { requireSessionId, SESSION_ARGUMENT } from '../io/find-session.js'
import { addHubOption, findHub, type HubAccess, type HubFlags, openHub } from '../io/hub-access.js'
import { type PromptFile, readPromptFiles, toContentBlocks } from './prompt-files.js'
import { readTime } from '../io/read-time.js'

type RunFlags = HubFlags & {
  readonly agent?: string
  readonly repo?: string
  readonly session?: string
  readonly config?: readonly ConfigInput[]
  readonly file?: readonly string[]
  readonly allow?: keyof typeof ALLOWED
  readonly auto?: boolean
  readonly json?: boolean
  readonly detach?: boolean
  readonly timeout?: number
}

/** The permission rules of --allow. The hub stores, shows and logs them, and answers with "allow once". */
const ALLOWED = {
  reads: { mode: 'ask', rules: allow('read', 'search', 'think') },
  edits: { mode: 'ask', rules: allow('read', 'search', 'think', 'edit', 'move') },
  all: { mode: 'auto', rules: [] },
} as const

export function defineRun(command: Command, io: CommandIo): void {
  command
    .argument('<prompt>', 'the prompt; "-" reads it from stdin')
    .option('--agent <id>', 'id of the agent (default: the one that `quayside agents` marks)')
    .option('--repo <repo>', 'repository: path, name or id (default: the one of this folder)')
    .option('--session <session>', `continue a session: ${SESSION_ARGUMENT}`)
    .option(
      '--config <id=value>',
      'set a mode, a model or another option of the agent first',
      readConfigInput,
    )
    .option('--file <path>', 'text file or image to send with the prompt', collect)
    .addOption(
      new Option('--allow <what>', 'allow it without asking, in this session').choices(
        Object.keys(ALLOWED),
      ),
    )
    .addOption(new Option('--auto', 'the same as --allow all').conflicts('allow'))
    .option('--json', 'print one event per line instead of the text')
    .addOption(
      new Option('--detach', "print the id of the session and don't wait").conflicts('timeout'),
    )
    .option('--timeout <time>', 'stop after this time, such as 90s, 10m or 1h', readTime)
  addHubOption(command)
    .addHelpText('after', HELP)
    .action(async (prompt: string, flags: RunFlags) => {
      io.exitCode = await run(prompt, flags, io)
    })
}

const HELP = `
The answer goes to stdout, everything else to stderr. If no hub is running, one runs for as long as the command.
--allow reads: reading and searching. edits: also writing and moving files. all: everything except files that can run code, such as hooks.
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
  if (text.trim() === '')
    throw new CommandError(
      'The prompt is empty. Write one, or pipe it to stdin with "-".',
      EXIT.usage,
    )
  const files = readPromptFiles(flags.file ?? [], io)
  await using hub = await openRunHub(flags, io)
  const { session, label } = await openSession(hub, flags, io.cwd)
  const input = await prepare({ hub, session, text, files, flags })
  const turn = { hub, session, label, input, flags, io }
  if (flags.detach) return detach(turn)
  const code = await runTurn(turn)
  // Otherwise the end of the hub would mark the session as cancelled.
  if (hub.isTemporary) await session.complete()
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
    '--detach needs a running hub, because the agent outlives this command. Start one with: quayside start --daemon',
    EXIT.usage,
  )
}

type OpenSession = { readonly session: AgentSession; readonly label: string }

async function openSession(hub: HubAccess, flags: RunFlags, cwd: string): Promise<OpenSession> {
  const { client } = hub
  const allowed = flags.auto ? ALLOWED.all : flags.allow && ALLOWED[flags.allow]
  const settings = allowed && { settings: { permissions: allowed } }
  if (flags.session !== undefined) {
    const session = await client.openSession(await requireSessionId(hub, flags.session))
    if (settings) await session.change(settings)
    return { session, label: session.info.title ?? 'untitled' }
  }
  const repo = await requireRepo(hub, flags.repo, cwd)
  const agent = flags.agent === undefined ? {} : { agent: flags.agent }
  const session = await client.newSession({ repo: repo.id, ...agent, ...settings })
  return { session, label: repo.branch === undefined ? repo.name : `${repo.name} (${repo.branch})` }
}

type Preparation = {
  readonly hub: HubAccess
  readonly session: AgentSession
  readonly text: string
  readonly files: readonly PromptFile[]
  readonly flags: RunFlags
}

/** Applies --config and adds the files to the prompt. A new session is removed when that fails. */
async function prepare({ hub, session, text, files, flags }: Preparation): Promise<PromptInput> {
  const { config = [] } = flags
  if (config.length === 0 && files.length === 0) return text
  try {
    // The agent reports its options once it runs.
    if (session.info.status !== 'active') await session.resume()
    const { state } = await session.timeline({ limit: 1 })
    await setConfig(session, config, state)
    return [text, ...(await toContentBlocks(files, hub.client, state?.capabilities ?? null))]
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

/** Ends when the hub has accepted the prompt. */
async function detach({ input, flags, io, ...run }: TurnRun): Promise<ExitCode> {
  const { session } = run
  const { turnId, seq, queued } = await session.prompt(input).accepted
  if (flags.json) {
    const { id: sessionId, info } = session
    const started = { sessionId, extensionId: info.extensionId, turnId, seq, queued }
    io.stdout.write(`${JSON.stringify(started)}\n`)
    return EXIT.done
  }
  new ChatPrinter(io).note(headOf(run, flags))
  io.stdout.write(`${session.id}\n`)
  return EXIT.done
}

async function runTurn({ input, flags, io, ...run }: TurnRun): Promise<ExitCode> {
  const { hub, session } = run
  const { json = false, timeout } = flags
  const decideAt = hub.isTemporary
    ? 'start a hub (quayside start --daemon) and run this again'
    : `${hub.address}/s/${session.id}, or: quayside sessions answer ${session.id}\n  Then: quayside attach ${session.id}`
  const options: WatchOptions = {
    json,
    decideAt,
    allowHint: 'Or allow it beforehand: --allow reads, edits or all.',
    changes: () => hub.client.sessions.changes(session.id, { patches: false }),
    isOver: ({ type }) => type === 'turn_end',
  }
  using watch = new ChatWatch(session, options, io)
  const { printer } = watch
  if (!json) printer.note(headOf(run, flags))
  const turn = session.prompt(input)
  let isStopping = false
  const stop = (reason: string): boolean => {
    if (isStopping) return false
    isStopping = true
    printer.note(reason, 'yellow')
    // The end of the turn, which `follow` waits for, shows the outcome.
    turn.cancel().catch((error: unknown) => printer.note(String(error), 'red'))
    return true
  }
  watch.onInterrupt({
    stop: () => stop('Stopping. Press Ctrl-C again to leave at once.'),
    leave: () => io.exit(EXIT.cancelled),
  })
  const timer = timeout && setTimeout(() => stop('The time limit is reached. Stopping.'), timeout)
  try {
    return await watch.follow(turn)
  } finally {
    clearTimeout(timer)
  }
}

function headOf(
  { hub, session, label }: Pick<TurnRun, 'hub' | 'session' | 'label'>,
  flags: RunFlags,
): string {
  const isByDefault = flags.agent === undefined && flags.session === undefined
  return [
    `● ${session.info.extensionId} · ${label} · session ${session.id}`,
    // A temporary hub ends with the command.
    ...(hub.isTemporary ? [] : [`  ${hub.address}/s/${session.id}`]),
    ...(isByDefault
      ? ['  For another agent use --agent or QUAYSIDE_AGENT. See: quayside agents']
      : []),
  ].join('\n')
}

function allow(...kinds: string[]) {
  return kinds.map((kind) => ({ action: 'allow', kind }) as const)
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
