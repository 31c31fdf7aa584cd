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
import { followComparison } from '../sessions/compare.js'
import { type PromptFile, readPromptFiles, toContentBlocks } from './prompt-files.js'
import { addMakeRoomOption, withRoom } from '../io/make-room.js'
import { withWorktreeProgress } from './worktree-progress.js'
import { readTime } from '../io/read-time.js'

type RunFlags = HubFlags & {
  readonly agent?: string
  readonly agents?: readonly string[]
  readonly repo?: string
  readonly machine?: string
  readonly session?: string
  readonly config?: readonly ConfigInput[]
  readonly file?: readonly string[]
  readonly allow?: keyof typeof ALLOWED
  readonly auto?: boolean
  readonly worktree?: boolean
  readonly base?: string
  readonly makeRoom?: boolean
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
    .addOption(
      new Option('--agents <ids>', 'compare agents, in a work tree each: claude,codex')
        .argParser((list) => list.split(','))
        .conflicts(['agent', 'session', 'config', 'file']),
    )
    .option('--repo <repo>', 'repository: path, name or id (default: the one of this folder)')
    .option('--machine <name>', 'machine to run on, of those that have the repository')
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
    .option('--worktree', 'give the session a git work tree and a branch of its own')
    .option('--base <branch>', 'branch to begin from; "." for your files as they are now')
    .option('--json', 'print one event per line instead of the text')
    .addOption(
      new Option('--detach', "print the id of the session and don't wait").conflicts('timeout'),
    )
    .option('--timeout <time>', 'stop after this time, such as 90s, 10m or 1h', readTime)
  addHubOption(addMakeRoomOption(command))
    .addHelpText('after', HELP)
    .action(async (prompt: string, flags: RunFlags) => {
      io.exitCode = await run(prompt, flags, io)
    })
}

const HELP = `
The answer goes to stdout, everything else to stderr. If no hub is running, one
runs for as long as the command. --file and --config may be given several times.
--agents prints a table that follows the sessions until all of them are done.

--allow reads  reading and searching
--allow edits  also writing and moving files
--allow all    everything except files that can run code, such as hooks

Examples:
  quayside run "Why does the login test fail?" --agent gemini
  quayside run "Summarise the last five commits" > summary.md
  git diff | quayside run - --allow reads
  quayside run "Fix the flaky test" --agents claude,codex,gemini --allow edits
  quayside run "Make it look like this" --file sketch.png --config mode=code
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
  if (flags.agents) return await compare(text, { hub, flags, io })
  const { session, label } = await openSession(text, { hub, flags, io })
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

/** Ends when all sessions are done, or with --detach when they have started. */
async function compare(
  text: string,
  { hub, flags, io }: Pick<TurnRun, 'hub' | 'flags' | 'io'>,
): Promise<ExitCode> {
  const { http } = hub.client
  const { id: repoId } = await requireRepo(hub, flags.repo, io.cwd)
  const { agents = [], base } = flags
  const settings = { ...permissionsOf(flags), ...(base !== undefined && { base }) }
  const machine = flags.machine === undefined ? {} : { hub: flags.machine }
  const input = { repoId, ...machine, agents, text, settings }
  const created = await withRoom(
    (makeRoom) => {
      const create = () => http.call('POST /api/comparisons', { ...input, makeRoom })
      return withWorktreeProgress(create, { hub, repoId, json: flags.json, io })
    },
    flags,
    io,
  )
  if (flags.detach) {
    io.stdout.write(`${flags.json ? JSON.stringify(created) : created.id}\n`)
    return EXIT.done
  }
  const code = await followComparison(created, { hub, flags, io })
  // Otherwise the end of the hub would mark the sessions as cancelled.
  if (hub.isTemporary)
    for (const { id: sessionId } of created.sessions)
      await http.call('POST /api/sessions/{sessionId}/complete', { sessionId })
  return code
}

function permissionsOf({ auto, allow: what }: RunFlags) {
  const permissions = auto ? ALLOWED.all : what && ALLOWED[what]
  return permissions && { permissions }
}

type OpenSession = { readonly session: AgentSession; readonly label: string }

async function openSession(
  text: string,
  { hub, flags, io }: Pick<TurnRun, 'hub' | 'flags' | 'io'>,
): Promise<OpenSession> {
  const { client } = hub
  const permissions = permissionsOf(flags)
  if (flags.session !== undefined) {
    const session = await client.openSession(await requireSessionId(hub, flags.session))
    if (permissions) await session.change({ settings: permissions })
    if (session.info.status !== 'active')
      await withRoom((makeRoom) => session.resume({ makeRoom }), flags, io)
    return { session, label: session.info.title ?? 'untitled' }
  }
  const repo = await requireRepo(hub, flags.repo, io.cwd)
  const agent = {
    ...(flags.agent !== undefined && { agent: flags.agent }),
    ...(flags.machine !== undefined && { hub: flags.machine }),
  }
  const place = {
    ...((flags.worktree || flags.base !== undefined) && { workspace: 'worktree' as const }),
    ...(flags.base !== undefined && { base: flags.base }),
  }
  const branch = text.slice(0, 99)
  const wanted = { repo: repo.id, ...agent, branch, settings: { ...permissions, ...place } }
  const session = await withRoom(
    (makeRoom) => {
      const create = () => client.newSession({ ...wanted, makeRoom })
      return withWorktreeProgress(create, { hub, repoId: repo.id, json: flags.json, io })
    },
    flags,
    io,
  )
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
    const { state } = await session.timeline({ limit: 1 })
    await setConfig(session, config, state)
    return [text, ...(await toContentBlocks(files, hub.client, state.capabilities))]
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
  if (!json) {
    printer.note(headOf(run, flags))
    printer.activity.start()
  }
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
